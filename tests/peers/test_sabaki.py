"""Sabaki's own controller (npm's @sabaki/gtp) drives the engine: attaching, syncing, undoing, analysing, moving.

Skipped where node or the package is missing; ``NODE_PATH`` says where packages are.
"""

import json
import shutil
import subprocess

import pytest

from tests.processes.gtp_client import PATIENCE, ROOT, STUB

SCRIPT = """
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')
const [path, ...args] = JSON.parse(process.argv[1])
const controller = new Controller(path, args)
const tracker = new ControllerStateTracker(controller)
const sent = []
controller.on('command-sent', ({command}) => sent.push(command.name))
const play = (color, vertex) => ({name: 'play', args: [color, vertex]})
const told = {}

async function main() {
  controller.start()
  const names = ['name', 'version', 'protocol_version', 'list_commands']
  const hello = await Promise.all(names.map(name => controller.sendCommand({name})))
  told.hello = hello.slice(0, 3).map(response => response.content)
  told.analyzes = hello[3].content.split('\\n').includes('lz-analyze')

  const state = {komi: 5.5, boardsize: [5, 5], history: [play('B', 'C3'), play('W', 'B2'), play('B', 'D4')]}
  await tracker.sync(state)
  told.syncing = sent.splice(0).slice(4)
  await tracker.sync({...state, history: state.history.slice(0, 2)})
  told.undoing = sent.splice(0)
  await tracker.sync({...state, history: [{name: 'set_free_handicap', args: ['A1', 'E5']}, play('W', 'C3')]})
  told.handicap = sent.splice(0)

  let lines = 0
  const analysis = controller.sendCommand({name: 'lz-analyze', args: ['B', '5']}, ({line}) => {
    if (line.startsWith('info move') && ++lines === 3) controller.sendCommand({name: 'protocol_version'})
  })
  told.analysis = (await analysis).content.split('\\n')[0]

  const move = await tracker.queueCommand({name: 'genmove_analyze', args: ['B', '50']})
  told.move = move.content.split('\\n').pop()
  told.history = tracker.state.history.length
  await controller.stop()
  console.log(JSON.stringify(told))
}

main().catch(error => { console.error(error); process.exit(1) })
"""


def has_package():
    if shutil.which("node") is None:
        return False
    found = subprocess.run(["node", "-e", "require.resolve('@sabaki/gtp')"], cwd=ROOT, capture_output=True)
    return found.returncode == 0


@pytest.mark.skipif(not has_package(), reason="needs node and the package @sabaki/gtp")
def test_sabaki():
    command = ["node", "-e", SCRIPT, json.dumps(STUB)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["hello"] == ["stub", "1.2", "2"]
    assert told["analyzes"]
    assert told["syncing"] == ["komi", "boardsize", "clear_board", "play", "play", "play"]
    assert told["undoing"] == ["undo"]
    assert told["handicap"] == ["clear_board", "set_free_handicap", "play"]
    assert told["analysis"].startswith("info move A5 visits ")
    assert told["move"] == "play A5"
    assert told["history"] == 3
