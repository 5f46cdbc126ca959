"use strict";

function element(name, attributes, text) {
  const made = document.createElement(name);
  Object.assign(made, attributes);
  if (text !== undefined) made.textContent = text;
  return made;
}

// A button that plays: step() goes on by one and says whether there is more; rewind() goes back to the start.
function makePlay(button, period, step, atEnd, rewind) {
  let timer = 0;
  function set(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => { if (!step()) set(false); }, period) : 0;
    button.textContent = on ? "❚❚" : "▶";
    button.title = on ? "pause" : "play";
    button.setAttribute("aria-label", button.title);
  }
  button.addEventListener("click", () => {
    if (!timer && atEnd()) rewind();
    set(!timer);
  });
  return () => set(false);
}

// Pictures with several frames: the slider shows one of them.
for (const box of document.querySelectorAll(".frames")) {
  const labels = JSON.parse(box.dataset.labels);
  const frames = [...box.querySelectorAll(":scope > .frame")];
  const slider = box.querySelector("input");
  const show = (number) => {
    slider.value = number;
    frames.forEach((frame, i) => { frame.hidden = i !== number; });
    box.querySelector("output").textContent = labels[number];
  };
  const at = () => Number(slider.value), last = frames.length - 1;
  const period = Math.min(700, Math.max(80, 12000 / frames.length));
  const stop = makePlay(box.querySelector(".play"), period, () => { show(at() + 1); return at() < last; }, () => at() >= last, () => show(0));
  slider.addEventListener("input", () => { stop(); show(at()); });
}

// Values under the pointer: of a point of a board, of a line at its nearest point, of whatever has words of its own.
const tip = element("div", { id: "tip", hidden: true });
tip.setAttribute("role", "status");
document.body.append(tip);
const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

function say(text, event) {
  tip.textContent = text;
  tip.hidden = !text;
  if (!text) return;
  const box = tip.getBoundingClientRect();
  const x = Math.min(event.clientX + 14, innerWidth - box.width - 6), above = event.clientY - box.height - 12;
  tip.style.left = `${Math.max(6, x)}px`;
  tip.style.top = `${above > 6 ? above : event.clientY + 18}px`;
}

function ofField(field, event) {
  const size = Number(field.dataset.size), box = field.getBoundingClientRect();
  const col = Math.floor((event.clientX - box.left) / box.width * size);
  const row = Math.floor((event.clientY - box.top) / box.height * size);
  if (col < 0 || row < 0 || col >= size || row >= size) return "";
  field.known ??= field.dataset.values.split(" ");
  return `${COLUMNS[col]}${size - row}: ${field.known[row * size + col]}`;
}

function hideCursors() {
  for (const cursor of document.querySelectorAll(".cursor")) cursor.setAttribute("visibility", "hidden");
}

function ofPlot(plot, event) {
  const drawn = [...plot.querySelectorAll("svg")].find((one) => one.clientWidth > 0);
  const [left, right, width, x0, x1] = drawn.dataset.axis.split(" ").map(Number);
  const box = drawn.getBoundingClientRect();
  const at = x0 + ((event.clientX - box.left) / box.width * width - left) / (right - left) * (x1 - x0);
  plot.known ??= JSON.parse(plot.dataset.points);
  const nearest = plot.known.map((line) => {
    let best = 0;
    line.x.forEach((x, i) => { if (Math.abs(x - at) < Math.abs(line.x[best] - at)) best = i; });
    return { name: line.name, x: line.x[best], y: line.y[best] };
  }).filter((one) => one.y !== undefined);
  if (!nearest.length) return "";
  const close = nearest.reduce((a, b) => (Math.abs(b.x - at) < Math.abs(a.x - at) ? b : a)).x;
  const cursor = drawn.querySelector(".cursor"), px = left + (close - x0) / (x1 - x0) * (right - left);
  cursor.setAttribute("x1", px);
  cursor.setAttribute("x2", px);
  cursor.setAttribute("visibility", "visible");
  const lines = nearest.map((one) => `${one.name}: ${one.y}${one.x === close ? "" : ` (generation ${one.x})`}`);
  return [`generation ${close.toLocaleString("en")}`, ...lines].join("\n");
}

function point(event) {
  hideCursors();
  const over = (kind) => event.target.closest?.(kind);
  const spoken = over("[data-tip]"), field = over("svg[data-values]"), plot = over(".plot");
  say(spoken ? spoken.dataset.tip : field ? ofField(field, event) : plot ? ofPlot(plot, event) : "", event);
}
document.addEventListener("pointermove", point);
document.addEventListener("pointerdown", point);
document.addEventListener("scroll", () => { tip.hidden = true; hideCursors(); }, { passive: true });
