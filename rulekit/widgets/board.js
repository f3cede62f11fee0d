// The board: steps through frames that the kernel has sent once, and asks the kernel only for a decision.
// Text is set as text. HTML comes from rulekit.widgets.view alone, which escapes whatever cards and players say.
const ZONES = ["battlefield", "hand", "graveyard", "exile", "library"];
const WRITING = ["INPUT", "SELECT", "TEXTAREA"];
const PATIENCE = 8000; // milliseconds
const SILENCE = "Python has not answered yet: it works on something else, or has stopped (see the menu Kernel). What has been played can still be stepped through.";
const OURS = "data-lm-suppress-shortcuts"; // else JupyterLab takes the arrow keys for its cells

function el(tag, attrs = {}, ...kids) {
  const node = document.createElement(tag);
  if (["button", "summary", "select", "input", "textarea"].includes(tag)) node.setAttribute(OURS, "true");
  for (const [key, value] of Object.entries(attrs)) {
    if (key === "press") node.addEventListener("click", value);
    else if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...kids);
  return node;
}

function plainButton(name, label, press, more = {}) {
  return el("button", { type: "button", class: `rk-${name}`, press, ...more }, label);
}

function render({ model, el: root }) {
  root.classList.add("rk-board");
  const play = () => model.get("play");
  const frames = () => play().frames;
  const at = () => Math.min(model.get("index"), frames().length - 1);
  let unanswered; // the alarm that rings if the kernel says nothing
  let deciding = false; // the focus goes to the next decision once the kernel has answered
  let drawn = []; // what each cell shows, so that only what has changed is drawn again
  let seen = []; // what was drawn last

  function go(place) {
    const bounded = Math.max(0, Math.min(frames().length - 1, place));
    if (bounded === at()) return;
    model.set("index", bounded);
    model.save_changes();
  }
  const stops = (place) => everyPass.checked || !frames()[place].quiet || place === frames().length - 1;
  function step(by) {
    let place = at() + by;
    while (place > 0 && place < frames().length - 1 && !stops(place)) place += by;
    go(place);
  }
  function ask(message) {
    deciding = message.do === "decide" || message.do === "pass all";
    model.send({ ...message, frame: at() });
    clearTimeout(unanswered);
    unanswered = setTimeout(() => {
      alert.textContent = SILENCE;
    }, PATIENCE);
  }
  function answered() {
    clearTimeout(unanswered);
    if (alert.textContent === SILENCE) drawSaid();
  }

  // ---------------------------------------------------------------- what stays in the page
  const title = el("p", { class: "rk-title" });
  const start = plainButton("start", "To the start", () => go(0));
  const back = plainButton("back", "Back", () => step(-1));
  const forward = plainButton("forward", "Forward", () => step(1));
  const end = plainButton("end", "To the end", () => go(frames().length - 1));
  const everyPass = el("input", { type: "checkbox" });
  const lines = el("select", { class: "rk-lines" });
  lines.addEventListener("change", () => ask({ do: "switch", to: lines.selectedIndex }));
  const linesLabel = el("label", { class: "rk-lines-label" }, "Line of play ", lines);
  const bar = el("div", { role: "toolbar", "aria-label": "Steps", class: "rk-bar" }, start, back, forward, end,
    el("label", {}, everyPass, " stop where a player only passes"), linesLabel);
  // one live region that stays in the page: only its text changes, so it is read aloud
  const status = el("p", { role: "status", "aria-live": "polite", class: "rk-status" });
  const alert = el("p", { role: "alert", class: "rk-error" });
  const rule = el("p", { class: "rk-rule" });
  const why = el("ol");
  const whyBox = el("details", { class: "rk-why" }, el("summary", {}, "Why?"), why);
  const decision = el("div", { role: "group", class: "rk-decision" });
  const table = el("table");
  const face = el("div", { role: "region", "aria-label": "Card", class: "rk-face" }, "Point at a card, or go to it with Tab, to read it here.");
  const lineRule = el("p", { class: "rk-rule" }); // of the line that one points at, beside which it stands
  const log = el("ol", { class: "rk-log", "aria-label": "What has happened" });
  const files = el("div", { class: "rk-files" });
  const tools = el("div", { class: "rk-tools" },
    plainButton("save", "Save as scenario", () => ask({ do: "save" })),
    plainButton("sheet", "Answer sheet", () => ask({ do: "sheet" })), files);
  root.append(title, bar, status, rule, whyBox, alert, decision,
    el("div", { class: "rk-view" }, el("div", { class: "rk-scroll", tabindex: "0", [OURS]: "true", role: "region", "aria-label": "Board" }, table), face),
    el("section", { "aria-label": "Log" }, el("p", { class: "rk-head" }, "What has happened"), log, lineRule), tools);

  // ---------------------------------------------------------------- keys, focus, pointing
  const keys = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => go(0), End: () => go(frames().length - 1) };
  root.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.stopPropagation(); // else JupyterLab goes to another cell
    if (WRITING.includes(event.target.tagName) && event.target.type !== "checkbox") return;
    event.preventDefault();
    keys[event.key]();
  });
  function point(event) {
    const card = event.target.closest?.("[data-face]");
    if (card && root.contains(card)) face.innerHTML = play().faces[card.dataset.face] ?? "";
    const line = event.target.closest?.("[data-event]");
    if (line && root.contains(line)) tellLine(Number(line.dataset.event));
  }
  root.addEventListener("focusin", point);
  root.addEventListener("mousemove", point); // not mouseover, which comes too when a step moves things below the mouse

  // ---------------------------------------------------------------- drawing
  function tellRule(place, number) {
    const said = play().rules[number];
    place.textContent = number ? `${number}: ${said || "the index has no such rule."}` : "";
  }
  function chainOf(number) {
    const chain = [];
    for (let place = number; place >= 0; place = play().log[place].cause) chain.unshift(play().log[place]);
    return chain;
  }
  function tellLine(number) {
    const causes = chainOf(number).slice(0, -1).reverse();
    tellRule(lineRule, play().log[number].rule);
    if (causes.length) lineRule.append(` Why? ${causes.map((event) => `${event.said} (${event.rule})`).join("; ")}.`);
  }
  function drawTable(frame) {
    const shape = String(frame.seats.length);
    if (table.dataset.shape !== shape) {
      drawn = [];
      table.dataset.shape = shape;
      root.classList.toggle("rk-many", frame.seats.length > 3); // no room for a card beside so many columns
      face.tabIndex = frame.seats.length > 3 ? 0 : -1; // it may have to be scrolled there
      const cell = (attrs = {}) => el("td", attrs);
      const heads = frame.seats.map(() => el("th", { scope: "col" }));
      const rows = ZONES.map((zone) => el("tr", {}, el("th", { scope: "row" }, zone), ...frame.seats.map(() => cell())));
      const stack = el("tr", {}, el("th", { scope: "row" }, "stack"), cell({ colspan: frame.seats.length }));
      table.replaceChildren(el("caption"), el("thead", {}, el("tr", {}, el("td"), ...heads)), el("tbody", {}, stack, ...rows));
    }
    table.caption.textContent = frame.moment;
    const [stackRow, ...rows] = table.tBodies[0].rows;
    const places = [...table.tHead.rows[0].cells].slice(1).map((cell, seat) => [cell, frame.seats[seat]]);
    places.push([stackRow.cells[1], frame.cells[0][0]]);
    rows.forEach((row, zone) => frame.seats.forEach((_, seat) => places.push([row.cells[seat + 1], frame.cells[seat + 1][zone]])));
    places.forEach(([cell, part], place) => {
      if (drawn[place] !== part) cell.innerHTML = play().parts[part];
      cell.querySelectorAll("button, summary").forEach((each) => each.setAttribute(OURS, "true"));
      drawn[place] = part;
    });
  }
  function drawDecision(frame) {
    const asked = frame.decision;
    const last = at() === frames().length - 1;
    decision.setAttribute("aria-label", !asked ? "Nothing is decided here" : asked.answered ? "The choice that led here" : "Decision");
    if (!asked) {
      decision.replaceChildren(el("p", {}, last ? "The game is over." : "Nothing was decided before this step."));
      return;
    }
    const taken = asked.answered || !last ? frame.taken : -1;
    const options = asked.options.map((word, place) =>
      plainButton("option", word, () => ask({ do: "decide", option: place }), place === taken ? { "aria-current": "true" } : {}));
    if (asked.passes) options.push(plainButton("all-pass", "everybody passes", () => ask({ do: "pass all" })));
    if (!asked.answered) return decision.replaceChildren(el("p", {}, asked.asks), ...options);
    const words = `${last && frame.over ? "The game is over. " : ""}This came of a choice. Choose otherwise, and the game branches there: ${asked.asks}`;
    decision.replaceChildren(el("p", {}, words), ...options);
  }
  function drawLog(frame) {
    lineRule.textContent = "";
    const items = [];
    let inside = null; // the list of what comes from one thing
    play().log.slice(0, frame.line + 1).forEach((event, number) => {
      if (!event.told) return;
      const here = number === frame.line;
      const line = el("li", {}, el("button", {
        type: "button", class: "rk-line", "data-event": number, "aria-current": here ? "step" : undefined,
        press: () => go(frames().findIndex((each) => each.line >= number)),
      }, el("code", { title: play().rules[event.rule] }, event.rule), ` ${event.said}`));
      if (event.head) items.push(el("li", {}, event.head, (inside = el("ul"))));
      else if (!event.within) inside = null;
      if (!event.within) items.push(line);
      else {
        if (!inside) items.at(-1).append((inside = el("ul")));
        inside.append(line);
      }
    });
    log.replaceChildren(...(items.length ? items : [el("li", {}, "Nothing has happened yet.")]));
    requestAnimationFrame(showLine); // the first time the log is not on the page yet
  }
  function showLine() {
    const line = log.querySelector('[aria-current="step"]')?.getBoundingClientRect();
    const seen = log.getBoundingClientRect();
    if (line?.bottom > seen.bottom) log.scrollTop += line.bottom - seen.bottom;
    else if (line?.top < seen.top) log.scrollTop -= seen.top - line.top;
  }
  function drawWhy(frame) {
    const chain = frame.event ? chainOf(frame.line) : [];
    why.replaceChildren(...chain.map((event) => el("li", {}, el("code", {}, event.rule), ` ${event.said}`)));
    whyBox.hidden = !chain.length;
  }
  function keepFocus(draw) {
    const had = root.contains(document.activeElement);
    draw();
    if (had && !root.contains(document.activeElement)) {
      const next = deciding ? decision.querySelector("button") : log.querySelector('[aria-current="step"]');
      (next ?? forward).focus({ preventScroll: true });
      deciding = false;
    }
  }
  function draw() {
    const shown = frames();
    const place = at();
    const frame = shown[place];
    if (seen[0] === shown && seen[1] === place) return; // play and index may both have changed at once
    seen = [shown, place];
    keepFocus(() => {
      status.textContent = `Step ${place + 1} of ${shown.length}: ${frame.said}${frame.rule ? ` (${frame.rule})` : ""}`;
      // aria-disabled keeps the focus where it is when an end is reached
      for (const [button, off] of [[start, place === 0], [back, place === 0], [forward, place === shown.length - 1], [end, place === shown.length - 1]])
        button.setAttribute("aria-disabled", String(off));
      tellRule(rule, frame.rule);
      drawTable(frame);
      drawDecision(frame);
      drawLog(frame);
      drawWhy(frame);
    });
  }
  function drawPlay() {
    const { names, line } = play();
    title.textContent = model.get("title");
    title.hidden = !model.get("title");
    linesLabel.hidden = names.length < 2;
    lines.replaceChildren(...names.map((name) => el("option", {}, name)));
    lines.selectedIndex = line;
    draw();
  }
  function drawSaid() {
    const said = model.get("said");
    deciding &&= !said.error;
    alert.textContent = said.error ?? "";
    files.replaceChildren(...(said.files ?? []).map(({ name, kind, text }) => el("details", { open: true },
      el("summary", {}, name), el("textarea", { readonly: true, rows: 12, "aria-label": name }, text),
      el("a", { download: name, href: `data:${kind};charset=utf-8,${encodeURIComponent(text)}` }, `Download ${name}`))));
  }
  model.on("change:play", drawPlay);
  model.on("change:index", draw);
  model.on("change:said", drawSaid);
  model.on("msg:custom", answered);
  drawPlay();
  drawSaid();
}
export default { render };
