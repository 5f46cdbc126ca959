// The life of a digital organism (see players/organism/scenes.py): its cells, what they smell, and the rules that fired.
const SVG = element("div", { innerHTML: "<svg></svg>" }).firstChild.namespaceURI; // a page names no address, not even this one
const STATES = ["no cell", "cell", "move", "own stone", "enemy stone"];

function drawn(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

// A field of squares with one shape for each point, made once: only what changes is changed, so that it can glide.
function plainField(size, kind, lines) {
  const field = document.createElementNS(SVG, "svg");
  field.setAttribute("class", `field ${kind}`);
  field.setAttribute("viewBox", `-.5 -.5 ${size} ${size}`);
  if (lines) {
    let path = "";
    for (let i = 0; i < size; i++) path += `M0 ${i}H${size - 1}M${i} 0V${size - 1}`;
    drawn("path", { d: path, class: "lines" }, field);
  }
  return field;
}

function showLife(life, root) {
  const n = life.size, count = n * n, level = new Map([...life.levels].map((sign, i) => [sign, i]));
  const top = life.levels.length - 1, least = Math.min(...life.sizes), most = Math.max(...life.sizes);
  const share = (size) => (most > least ? (size - least) / (most - least) : 0.5);
  const points = [...Array(count).keys()];
  let chosenRule = -1, chosenSmell = -1, at = 0;

  const board = plainField(n, "organism", true);
  const square = (parent, kind, i) => drawn("rect", { x: i % n - 0.5, y: Math.floor(i / n) - 0.5, width: 1, height: 1, class: kind }, parent);
  const circle = (parent, kind, i, r = 0) => drawn("circle", { cx: i % n, cy: Math.floor(i / n), r, class: kind }, parent);
  const glow = points.map((i) => square(board, "smell", i));
  const cells = points.map((i) => circle(board, "cell", i));
  const cores = points.map((i) => circle(board, "core", i));
  const rings = points.map((i) => circle(board, "fired", i, 0.47));
  const last = circle(board, "ring", 0, 0.22);
  board.dataset.size = n;

  const smells = life.most.map((_, m) => {
    const button = element("button", { type: "button", className: "smell-of", title: `show mediator ${m + 1} on the board` });
    const field = plainField(n, "", false);
    const parts = points.map((i) => square(field, "smell", i));
    field.dataset.size = n;
    const words = element("span");
    button.append(field, words);
    button.addEventListener("click", () => { chosenSmell = chosenSmell === m ? -1 : m; draw(at); });
    return { button, field, parts, words };
  });
  const list = element("ol", { className: "rules" });
  const rows = life.rules.map((rule, i) => {
    const row = element("li", { tabIndex: 0 }), told = element("b");
    row.append(element("i", {}, rule.number), element("span", {}, rule.text), told);
    const choose = () => { chosenRule = chosenRule === i ? -1 : i; draw(at); };
    row.addEventListener("click", choose);
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(); });
    list.append(row);
    return { row, told };
  });
  const output = element("p", { className: "now" });

  function draw(number) {
    at = number;
    const step = life.steps[number];
    const sizes = [...step.sizes].map((sign) => life.sizes[level.get(sign)]);
    const firing = life.rules.map((_, i) => BigInt(`0x${step.fired[i] ?? 0}`));
    let best = -1;
    points.forEach((i) => {
      const state = Number(step.states[i]), stone = state > 2, black = (state === 3) === (life.own === 1);
      cells[i].setAttribute("class", `cell ${["none", "empty", "wants", black ? "black" : "white", black ? "black" : "white"][state]}`);
      cells[i].style.r = state === 0 ? 0 : stone ? "0.45px" : `${0.16 + 0.28 * share(sizes[i])}px`;
      cores[i].setAttribute("class", `core ${state === 3 ? "own" : "enemy"}`);
      cores[i].style.r = stone ? `${0.05 + 0.2 * share(sizes[i])}px` : 0;
      rings[i].style.opacity = chosenRule >= 0 && (firing[chosenRule] >> BigInt(i)) & 1n ? 1 : 0;
      if (state === 2 && (best < 0 || sizes[i] > sizes[best])) best = i;
      const smell = chosenSmell < 0 ? "" : step.amounts[chosenSmell];
      glow[i].style.opacity = smell ? 0.9 * level.get(smell[i]) / top : 0;
    });
    const moves = points.filter((i) => step.states[i] === "2");
    const leading = moves.filter((i) => sizes[i] === sizes[best]);
    moves.forEach((i) => cells[i].classList.toggle("leads", leading.includes(i)));
    const placed = life.steps.slice(0, number + 1).findLast((one) => one.move);
    const where = placed ? placed.move[1] : null;
    last.style.visibility = where === null ? "hidden" : "visible";
    if (where !== null) { last.setAttribute("cx", where % n); last.setAttribute("cy", Math.floor(where / n)); }
    board.dataset.values = points.map((i) => `${STATES[step.states[i]]}${step.states[i] === "0" ? "" : `, size ${sizes[i]}`}`.replaceAll(" ", "\u00a0")).join(" ");
    delete board.known;
    smells.forEach((smell, m) => {
      const amounts = step.amounts[m];
      smell.parts.forEach((part, i) => { part.style.opacity = amounts ? level.get(amounts[i]) / top : 0; });
      smell.field.dataset.values = points.map((i) => (amounts ? (level.get(amounts[i]) / top * life.most[m]).toPrecision(2) : "0")).join(" ");
      delete smell.field.known;
      smell.words.textContent = `mediator ${m + 1}`;
      smell.button.setAttribute("aria-pressed", chosenSmell === m);
      smell.button.classList.toggle("unused", life.most[m] === 0);
    });
    rows.forEach(({ row, told }, i) => {
      const found = points.filter((p) => (firing[i] >> BigInt(p)) & 1n).length;
      row.classList.toggle("fires", found > 0);
      row.setAttribute("aria-selected", chosenRule === i);
      told.textContent = found ? `${found} ${found === 1 ? "cell" : "cells"}` : "";
    });
    const alive = points.filter((i) => step.states[i] !== "0").length;
    output.textContent = `${step.label}: ${alive} ${alive === 1 ? "cell" : "cells"}, ${moves.length} of them ${moves.length === 1 ? "wants" : "want"} to move`;
  }

  const first = Math.max(0, life.steps.findIndex((step) => step.move));
  const { bar, go } = controls(() => life.steps.length - 1, draw, 420);
  const left = element("div"), right = element("div"), shelf = element("div", { className: "shelf" });
  shelf.append(...smells.map((smell) => smell.button));
  left.append(board, output, bar);
  right.append(shelf, list);
  if (life.dead) right.append(element("p", { className: "caption" }, `${life.dead} more rules can never change what is played.`));
  root.append(left, right);
  const middle = life.steps.findIndex((step, i) => i > first + (life.steps.length - first) / 3 && Object.keys(step.fired).length);
  go(middle > 0 ? middle : life.steps.length - 1);
}

for (const script of document.querySelectorAll("script.scenes")) showLife(JSON.parse(script.textContent), script.parentElement);
