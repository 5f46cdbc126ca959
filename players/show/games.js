// Boards and games. A move is [colour, cell or -1 for a pass, cells it empties]; cells count row by row from the top left.
const NAMES = ["", "Black", "White"];
const LEAST_TEXT = 12.5; // pixels

function positionAt(game, shown) {
  const cells = new Array(game.size * game.size).fill(0), taken = [0, 0, 0];
  for (const [colour, cell] of game.stones) cells[cell] = colour;
  for (const [colour, cell, emptied] of game.moves.slice(0, shown)) {
    if (cell >= 0) cells[cell] = colour;
    for (const other of emptied) { taken[3 - cells[other]] += 1; cells[other] = 0; }
  }
  return { cells, taken };
}

// The board after so many moves as SVG, for a place so many pixels wide; without coordinates if it is small.
function drawBoard(game, shown, pixels, coordinates) {
  const n = game.size, { cells } = positionAt(game, shown);
  const last = shown ? game.moves[shown - 1] : null;
  const edge = coordinates ? 1.1 : 0.6, span = n - 1 + 2 * edge;
  const x = (cell) => cell % n, y = (cell) => Math.floor(cell / n);
  const widest = coordinates ? Math.min(520, (n + 2) * 60) : 300;
  const font = Math.max(0.36, LEAST_TEXT * span / Math.min(pixels, widest));
  const parts = [
    `<svg class="board" viewBox="${-edge} ${-edge} ${span} ${span}" style="max-width:${widest}px">`,
    '<defs><radialGradient id="b" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#777"/><stop offset=".5" stop-color="#2a2a2a"/><stop offset="1" stop-color="#0a0a0a"/></radialGradient>',
    '<radialGradient id="w" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#fff"/><stop offset=".7" stop-color="#f1efe9"/><stop offset="1" stop-color="#cfcbc2"/></radialGradient></defs>',
    `<rect x="${-edge}" y="${-edge}" width="${span}" height="${span}" class="wood"/>`,
  ];
  for (let i = 0; i < n; i++) {
    parts.push(`<path d="M0 ${i}H${n - 1}M${i} 0V${n - 1}" class="ink" stroke-width="${i % (n - 1) ? 0.025 : 0.045}" stroke-linecap="square"/>`);
    if (!coordinates) continue;
    parts.push(`<text x="${i}" y="${n - 1 + 0.5 + 0.3 + 0.36 * font}" font-size="${font}">${COLUMNS[i]}</text>`);
    parts.push(`<text x="-.78" y="${i + 0.36 * font}" font-size="${font}">${n - i}</text>`);
  }
  for (const cell of game.stars) parts.push(`<circle cx="${x(cell)}" cy="${y(cell)}" r=".09" class="star"/>`);
  cells.forEach((colour, cell) => {
    if (!colour) return;
    parts.push(`<circle cx="${x(cell) + 0.03}" cy="${y(cell) + 0.05}" r=".47" fill="#000" opacity=".2"/>`);
    parts.push(`<circle cx="${x(cell)}" cy="${y(cell)}" r=".47" fill="url(#${colour === 1 ? "b" : "w"})"/>`);
  });
  if (last && last[1] >= 0 && cells[last[1]])
    parts.push(`<circle cx="${x(last[1])}" cy="${y(last[1])}" r=".2" fill="none" stroke="${last[0] === 1 ? "#fff" : "#222"}" stroke-width=".07"/>`);
  parts.push("</svg>");
  return parts.join("");
}

function save(name, text) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([text], { type: "application/x-go-sgf" })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function named(text, label) {
  const made = element("button", { type: "button", title: label }, text);
  made.setAttribute("aria-label", label);
  return made;
}

// Buttons and a slider that go through something of ``length()`` steps.
function controls(length, draw, period, start = 0) {
  let shown = start;
  const bar = element("div", { className: "bar" });
  const slider = element("input", { type: "range", min: 0 });
  slider.setAttribute("aria-label", "move");
  const go = (to) => {
    shown = Math.max(0, Math.min(length(), to));
    slider.max = length();
    slider.value = shown;
    draw(shown);
  };
  const play = named("▶", "play");
  play.className = "play";
  const stop = makePlay(play, period, () => { go(shown + 1); return shown < length(); }, () => shown >= length(), () => go(start));
  const user = (to) => { stop(); go(to); };
  const buttons = [["|◀", "first", () => 0], ["◁", "back", () => shown - 1], ["▷", "forward", () => shown + 1], ["▶|", "last", length]];
  const made = buttons.map(([text, label, target]) => {
    const one = named(text, label);
    one.addEventListener("click", () => user(target()));
    return one;
  });
  slider.addEventListener("input", () => user(Number(slider.value)));
  bar.append(play, made[0], made[1], slider, made[2], made[3]);
  return { bar, go: user, step: (by) => user(shown + by), again: () => draw(shown) };
}

// One board, and a list of games to choose from.
function showGames(games, root) {
  let game = games[0];
  const left = element("div"), right = element("div"), boardBox = element("div");
  const list = element("ol"), facts = element("dl"), download = named("⤓ SGF", "download this game as SGF");
  download.className = "download";
  const { bar, go, step, again } = controls(() => game.moves.length, draw, 350);
  boardBox.addEventListener("click", () => step(1));
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT") return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) { step(by); event.preventDefault(); }
  });
  download.addEventListener("click", () => save(game.file, game.sgf));
  games.forEach((one) => {
    const item = element("li", { tabIndex: 0 }, one.title);
    item.append(element("span", {}, one.result));
    const choose = () => { game = one; go(one.moves.length); };
    item.addEventListener("click", choose);
    item.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(); });
    list.append(item);
  });
  left.append(boardBox, bar);
  right.append(list, facts, download);
  root.append(left, right);

  function vertex(cell) {
    return cell < 0 ? "pass" : COLUMNS[cell % game.size] + (game.size - Math.floor(cell / game.size));
  }

  function draw(shown) {
    const last = shown ? game.moves[shown - 1] : null, { taken } = positionAt(game, shown);
    boardBox.innerHTML = drawBoard(game, shown, left.clientWidth, true);
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", games[i] === game));
    facts.replaceChildren();
    const rows = [
      ["move", `${shown} of ${game.moves.length}${last ? ` · ${NAMES[last[0]]} ${vertex(last[1])}` : ""}`],
      ["Black", `${game.black || "–"} · captures ${taken[1]}`],
      ["White", `${game.white || "–"} · captures ${taken[2]}`],
      ["komi", String(game.komi)],
      ["result", game.result || "–"],
    ];
    for (const [name, value] of rows) facts.append(element("dt", {}, name), element("dd", {}, value));
  }
  new ResizeObserver(again).observe(left);
  go(game.moves.length);
}

// Small boards side by side, one for each game, all at the same move.
function showTogether(games, root) {
  const panels = element("div", { className: "panels" });
  panels.style.setProperty("--least", "150px");
  panels.style.setProperty("--columns", Math.ceil(games.length / Math.ceil(games.length / 6)));
  const figures = games.map((game) => {
    const figure = element("figure"), box = element("div"), words = element("figcaption");
    figure.append(box, words);
    panels.append(figure);
    return { game, box, words };
  });
  const longest = Math.max(...games.map((game) => game.moves.length));
  const where = element("output");
  const { bar, go } = controls(() => longest, draw, 250, Number(root.dataset.first));
  bar.append(where);
  root.append(panels, bar);

  function draw(shown) {
    for (const { game, box, words } of figures) {
      const at = Math.min(shown, game.moves.length);
      box.innerHTML = drawBoard(game, at, 170, false);
      words.textContent = at === game.moves.length ? `${game.title}: ${game.result}` : game.title;
    }
    where.textContent = `move ${shown} of ${longest}`;
  }
  go(Number(root.dataset.first));
}

for (const source of document.querySelectorAll("script.games")) {
  const games = JSON.parse(source.textContent), root = source.parentElement;
  if (root.className === "viewer") showGames(games, root);
  else showTogether(games, root);
}
