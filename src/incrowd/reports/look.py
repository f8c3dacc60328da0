"""The style of a report page, its print style and the script that sorts tables. Nothing is loaded."""

STYLE = """
:root { color-scheme: light; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --blue: #0072B2; --pale: #f4f7fa }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 66rem; padding: 1.5rem 1.5rem 4rem; color: var(--ink); background: #fff;
  font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; overflow-wrap: anywhere }
h2 { font-size: 1.3rem; margin: 2.6rem 0 .6rem; padding-bottom: .25rem; border-bottom: 2px solid var(--line) }
p, li { max-width: 48rem; overflow-wrap: anywhere }
.subtitle { color: var(--soft); margin: 0 0 1rem }
.notice { border-left: 6px solid var(--blue); background: var(--pale); padding: .6rem 1rem; margin: 1rem 0 }
.private { border-left-color: #D55E00; background: #fff4ec }
.warning { border-left: 6px solid #E69F00; background: #fff9e8; padding: .5rem 1rem }
nav ul { columns: 2; padding-left: 1.2rem; margin: .5rem 0 }
nav a { color: var(--blue) }
figure { margin: 1rem 0 1.4rem; break-inside: avoid }
figcaption { font-weight: 600; margin-bottom: .35rem; overflow-wrap: anywhere }
svg { max-width: 100%; height: auto; display: block }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-size: .92rem; min-width: 20rem; max-width: 100% }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
  min-width: 3.2rem }
td.prose { min-width: 15rem }
td.words { min-width: 7rem }
td bdi { display: inline-block; max-width: 30rem; overflow-wrap: break-word; white-space: inherit }
th bdi { display: inline-block; max-width: 12rem; overflow-wrap: break-word }
th { background: var(--pale); border-bottom: 2px solid var(--line) }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
th.number { white-space: normal }
th button { all: unset; cursor: pointer; font-weight: 600 }
th button:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px }
th[aria-sort=ascending] button::after { content: " \\25B2"; font-size: .7em }
th[aria-sort=descending] button::after { content: " \\25BC"; font-size: .7em }
details { margin: .4rem 0 }
summary { cursor: pointer; color: var(--blue); font-size: .92rem }
pre { background: var(--pale); padding: .8rem 1rem; overflow-x: auto; font-size: .85rem; white-space: pre-wrap;
  overflow-wrap: anywhere }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; border-top: 1px solid var(--line);
  padding-top: .6rem }
@media screen and (max-width: 40rem) { nav ul { columns: 1 }
  figure [role=img] { overflow-x: auto }
  figure svg { max-width: none; width: 38rem } }
@media print {
  @page { margin: 16mm 14mm }
  body { max-width: none; padding: 0; font-size: 10.5pt }
  nav, .screen, details:not([open]) { display: none }
  table { font-size: 8.5pt; min-width: 0 }
  th, td { padding: .25rem .4rem; min-width: 0 }
  td.prose { min-width: 9rem }
  td.words { min-width: 4.5rem }
  h2 { break-after: avoid }
  tr, .notice, .warning { break-inside: avoid }
  thead { display: table-header-group }
  .scroll { overflow: visible }
  a { color: inherit; text-decoration: none }
}
"""

SCRIPT = """
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.type = "button";
    button.title = "Sort by this column";
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(each => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...table.tBodies[0].rows];
      const key = row => { const cell = row.cells[at]; return cell.dataset.order ?? cell.textContent };
      const numbers = rows.every(row => key(row) !== "" && !isNaN(key(row)));
      rows.sort((a, b) => numbers ? key(a) - key(b) : key(a).localeCompare(key(b)));
      table.tBodies[0].append(...(down ? rows.reverse() : rows));
    });
  });
}
"""
