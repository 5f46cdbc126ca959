"use strict";
// Pictures with several frames: the slider shows one of them.
for (const box of document.querySelectorAll(".frames")) {
  const labels = JSON.parse(box.dataset.labels);
  const frames = box.querySelectorAll(".frame");
  const slider = box.querySelector("input");
  slider.addEventListener("input", () => {
    frames.forEach((frame, i) => { frame.hidden = i !== Number(slider.value); });
    box.querySelector("output").textContent = labels[slider.value];
  });
}

// The board viewer. A move is [colour, cell or -1 for a pass, cells it empties]; cells count row by row from the top left.
const source = document.getElementById("games");
if (source) showGames(JSON.parse(source.textContent), document.getElementById("viewer"));

function showGames(games, root) {
  const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const NAMES = ["", "Black", "White"];
  let game = games[0], shown = 0;

  function element(name, attributes, text) {
    const made = document.createElement(name);
    Object.assign(made, attributes);
    if (text !== undefined) made.textContent = text;
    return made;
  }
  const left = element("div"), right = element("div");
  const boardBox = element("div");
  const bar = element("div", { className: "bar" });
  const slider = element("input", { type: "range", min: 0 });
  slider.setAttribute("aria-label", "move");
  const go = (to) => { shown = Math.max(0, Math.min(game.moves.length, to)); draw(); };
  for (const [text, label, target] of [["|◀", "first", () => 0], ["◀", "back", () => shown - 1]])
    bar.append(button(text, label, target));
  bar.append(slider);
  for (const [text, label, target] of [["▶", "forward", () => shown + 1], ["▶|", "last", () => game.moves.length]])
    bar.append(button(text, label, target));
  function button(text, label, target) {
    const made = element("button", { type: "button", title: label }, text);
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => go(target()));
    return made;
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  boardBox.addEventListener("click", () => go(shown + 1));
  document.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT") return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) { go(shown + step); event.preventDefault(); }
  });
  const list = element("ol"), facts = element("dl");
  games.forEach((one) => {
    const item = element("li", { tabIndex: 0 }, one.title);
    item.append(element("span", {}, one.result));
    const choose = () => { game = one; go(one.moves.length); };
    item.addEventListener("click", choose);
    item.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(); });
    list.append(item);
  });
  left.append(boardBox, bar);
  right.append(list, facts);
  root.append(left, right);

  function vertex(cell) {
    if (cell < 0) return "pass";
    return COLUMNS[cell % game.size] + (game.size - Math.floor(cell / game.size));
  }

  function draw() {
    const n = game.size, cells = new Array(n * n).fill(0), taken = [0, 0, 0];
    for (const [colour, cell] of game.stones) cells[cell] = colour;
    for (const [colour, cell, emptied] of game.moves.slice(0, shown)) {
      if (cell >= 0) cells[cell] = colour;
      for (const other of emptied) { taken[3 - cells[other]] += 1; cells[other] = 0; }
    }
    const last = shown ? game.moves[shown - 1] : null;
    const edge = 1.1, span = n - 1 + 2 * edge;
    const x = (cell) => cell % n, y = (cell) => Math.floor(cell / n);
    const parts = [
      `<svg class="board" viewBox="${-edge} ${-edge} ${span} ${span}" style="max-width:${(n + 2) * 60}px" font-family="inherit">`,
      '<defs><radialGradient id="b" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#777"/><stop offset=".5" stop-color="#2a2a2a"/><stop offset="1" stop-color="#0a0a0a"/></radialGradient>',
      '<radialGradient id="w" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#fff"/><stop offset=".7" stop-color="#f1efe9"/><stop offset="1" stop-color="#cfcbc2"/></radialGradient></defs>',
      `<rect x="${-edge}" y="${-edge}" width="${span}" height="${span}" fill="#e6bd75"/>`,
    ];
    for (let i = 0; i < n; i++) {
      parts.push(`<path d="M0 ${i}H${n - 1}M${i} 0V${n - 1}" stroke="#6b4f24" stroke-width="${i % (n - 1) ? 0.025 : 0.045}" stroke-linecap="square"/>`);
      const style = 'font-size=".36" fill="#6b4f24" text-anchor="middle"';
      parts.push(`<text x="${i}" y="${n - 1 + 0.95}" ${style}>${COLUMNS[i]}</text>`);
      parts.push(`<text x="-.78" y="${i + 0.13}" ${style}>${n - i}</text>`);
    }
    for (const cell of game.stars) parts.push(`<circle cx="${x(cell)}" cy="${y(cell)}" r=".09" fill="#6b4f24"/>`);
    cells.forEach((colour, cell) => {
      if (!colour) return;
      parts.push(`<circle cx="${x(cell) + 0.03}" cy="${y(cell) + 0.05}" r=".47" fill="#000" opacity=".2"/>`);
      parts.push(`<circle cx="${x(cell)}" cy="${y(cell)}" r=".47" fill="url(#${colour === 1 ? "b" : "w"})"/>`);
    });
    if (last && last[1] >= 0 && cells[last[1]])
      parts.push(`<circle cx="${x(last[1])}" cy="${y(last[1])}" r=".2" fill="none" stroke="${last[0] === 1 ? "#fff" : "#222"}" stroke-width=".07"/>`);
    parts.push("</svg>");
    boardBox.innerHTML = parts.join("");
    slider.max = game.moves.length;
    slider.value = shown;
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
  go(game.moves.length);
}
