/**
 * The style of the page: system fonts, both colour schemes, narrow screens and paper. Contrast is
 * at least 4.5 to 1 throughout (WCAG 2.2, 1.4.3).
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d2025; --soft: #565c66; --line: #dcd9d3; --code: #f3f1ec;
  --bad: #a8201a; --bad-wash: #fbe9e7; --good: #1c6b3c; --good-wash: #e7f3ea; --doubt: #7a5200; --doubt-wash: #faf0d7;
  --link: #1a56a8; --mark: #ffd9d4; --mark-ink: #7d120d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171b; --card: #1c1f24; --ink: #e7e5e1; --soft: #a5abb5; --line: #343941; --code: #121418;
    --bad: #ff9a8f; --bad-wash: #3a1c1b; --good: #84d3a0; --good-wash: #173224; --doubt: #e6bf6a; --doubt-wash: #352a12;
    --link: #93bfff; --mark: #6b221d; --mark-ink: #ffe3df;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word; }
header, nav, main { max-width: 78rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3rem); }
header { padding-top: clamp(1.5rem, 5vw, 3.5rem); }
main { padding-bottom: 4rem; }
h1 { font-size: clamp(1.4rem, 1rem + 2vw, 2.2rem); line-height: 1.2; letter-spacing: -0.015em; margin: 0 0 1.25rem; max-width: 38ch; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1.35rem; line-height: 1.3; letter-spacing: -0.01em; margin: 3.5rem 0 0.25rem; }
h3 { font-size: 1.05rem; margin: 0 0 0.35rem; overflow-wrap: anywhere; }
h4 { font-size: 0.95rem; margin: 1.25rem 0 0; }
h4 span { font-weight: 400; color: var(--soft); }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre, .contrast dd, .where { font-family: ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.86em; }
pre code { font-size: 1em; }
code { overflow-wrap: anywhere; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.25rem 0.75rem; }
.kind { margin: 0 0 0.5rem; color: var(--soft); font-size: 0.9rem; }
.lead { margin: 0 0 1.25rem; color: var(--soft); max-width: 62ch; }
.early { background: var(--doubt-wash); color: var(--doubt); border-radius: 6px; padding: 0.5rem 0.9rem; }
.tally { list-style: none; display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0 0 1.5rem; padding: 0; }
.tally li { border: 1px solid var(--line); border-radius: 6px; background: var(--card); padding: 0.35rem 0.9rem; color: var(--soft); }
.tally strong { font-size: 1.2rem; font-variant-numeric: tabular-nums; color: var(--ink); margin-right: 0.15rem; }
.tally .passed, .tally .passed strong { color: var(--good); background: var(--good-wash); }
.tally .failed, .tally .failed strong { color: var(--bad); background: var(--bad-wash); }
.tally .not tested, .tally .waived, .tally .advised { background: var(--doubt-wash); }
.tally .not tested, .tally .not tested strong, .tally .waived, .tally .waived strong, .tally .advised, .tally .advised strong { color: var(--doubt); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(9.5rem, 100%), 1fr)); gap: 0.9rem 1.5rem; margin: 0; border-top: 1px solid var(--line); padding-top: 1.1rem; }
.facts dt { color: var(--soft); font-size: 0.82rem; }
.facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 1.5rem 0 0; padding: 0.75rem 0 0; border-top: 1px solid var(--line); font-size: 0.95rem; }
.facts .wide { grid-column: span 2; }
.scroll { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; background: var(--card); font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.6rem; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; font-size: 0.8rem; color: var(--soft); white-space: nowrap; }
tbody th { font-weight: 600; }
.matrix td { padding: 0.25rem; }
.matrix td.empty { background: color-mix(in srgb, var(--line) 22%, transparent); }
.matrix tbody th { white-space: nowrap; padding-top: 0.65rem; }
.matrix summary { cursor: pointer; border-radius: 5px; padding: 0.35rem 0.5rem; white-space: nowrap; font-variant-numeric: tabular-nums; list-style-position: outside; display: block; text-align: center; }
.matrix summary:hover { text-decoration: underline; }
.matrix .family { display: none; }
.matrix .passed summary { background: var(--good-wash); color: var(--good); }
.matrix .partly summary { background: var(--doubt-wash); color: var(--doubt); }
.matrix .failed summary { background: var(--bad-wash); color: var(--bad); font-weight: 600; }
.matrix details[open] { width: 25rem; }
.matrix ul { list-style: none; margin: 0.5rem 0; padding: 0 0.35rem; }
.matrix li { padding: 0.5rem 0; border-top: 1px solid var(--line); font-weight: 400; }
.matrix li:first-child { border-top: 0; }
.word { font-size: 0.78rem; font-weight: 600; margin-right: 0.25rem; }
li.passed .word { color: var(--good); }
li.failed .word { color: var(--bad); }
li.not tested .word, li.waived .word, li.advised .word { color: var(--doubt); }
li em { color: var(--doubt); }
.story { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: clamp(1rem, 3vw, 1.5rem); margin: 0 0 1.25rem; }
.story h3 a { color: inherit; text-decoration: none; }
.story h3 a:hover { text-decoration: underline; }
.story h3::before { content: "Broken"; color: var(--bad); background: var(--bad-wash); border-radius: 4px; padding: 0.1rem 0.45rem; font-size: 0.78rem; margin-right: 0.6rem; vertical-align: 0.1em; }
.story.waived h3::before { content: "Waived"; }
.story.advised h3::before { content: "Advised"; }
.story.waived h3::before, .story.advised h3::before { color: var(--doubt); background: var(--doubt-wash); }
.requirement { margin: 0; font-size: 1.05rem; max-width: 70ch; }
.source { margin: 0.1rem 0 1rem; color: var(--soft); font-size: 0.86rem; overflow-wrap: anywhere; }
.contrast { margin: 0; display: grid; gap: 0.35rem; }
.contrast div { display: grid; grid-template-columns: 6.5rem 1fr; gap: 0.75rem; align-items: baseline; }
.contrast dt { color: var(--soft); font-size: 0.86rem; }
.contrast dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; font-size: 0.9em; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; box-shadow: 0 2px 0 var(--bad); padding: 0 1px; }
.exchange { border-top: 1px solid var(--line); margin-top: 1.25rem; }
.label { margin: 0.75rem 0 0.25rem; color: var(--soft); font-size: 0.86rem; }
pre { margin: 0; background: var(--code); border-radius: 6px; padding: 0.7rem 0.9rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow-y: auto; }
.headers { margin-top: 0.4rem; }
.headers summary { cursor: pointer; color: var(--soft); font-size: 0.86rem; padding: 0.15rem 0; }
pre em { color: var(--soft); }
.more, .note { color: var(--soft); font-size: 0.9rem; margin: 1rem 0 0; }
.list { min-width: 42rem; }
.list th { font-weight: 400; width: 32%; }
.list thead th { font-weight: 600; }
.list ul { margin: 0; padding: 0; list-style: none; }
.list td { overflow-wrap: anywhere; }
.where { color: var(--soft); white-space: nowrap; }
.reason { border-bottom: 1px solid var(--line); padding: 0.5rem 0; }
.reason summary { cursor: pointer; }
.reason .count { display: inline-block; min-width: 2.2rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.reason ul { columns: 22rem; margin: 0.5rem 0; padding-left: 1.2rem; }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }
figcaption { color: var(--soft); font-size: 0.9rem; margin-top: 0.5rem; }
svg { display: block; width: 100%; min-width: 40rem; height: auto; font: 13px system-ui, sans-serif; fill: var(--soft); }
.axes line { stroke: var(--line); }
.line { fill: none; stroke: var(--link); stroke-width: 1.5; }
circle { fill: var(--link); }
.wait rect { fill: var(--doubt-wash); }
.wait text { fill: var(--doubt); }
path.refusal { stroke: var(--bad); stroke-width: 2.5; fill: none; }
.key.refusal { color: var(--bad); }
.key.wait { color: var(--doubt); background: var(--doubt-wash); padding: 0 0.4rem; border-radius: 4px; }
@media (max-width: 46rem) {
  .matrix, .matrix tbody, .matrix tr, .matrix td, .matrix tbody th, .list, .list tbody, .list tr, .list td, .list th { display: block; width: auto; min-width: 0; }
  .matrix thead, .list thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .matrix td { border: 0; padding: 0.15rem 0.6rem; }
  .matrix td.empty { display: none; }
  .matrix tr, .list tr { padding: 0.4rem 0 0.7rem; border-bottom: 1px solid var(--line); }
  .matrix tbody th, .list th, .list td { border: 0; padding: 0.3rem 0.6rem; }
  .matrix .family { display: inline; color: var(--ink); font-weight: 400; }
  .matrix summary { display: flex; justify-content: space-between; gap: 1rem; text-align: left; }
  .matrix details[open] { width: auto; }
  .contrast div { grid-template-columns: 1fr; gap: 0; }
  .contrast dd { margin-bottom: 0.35rem; }
}
@media print {
  :root { --paper: #fff; --card: #fff; }
  body { font-size: 10pt; }
  .skip, nav { display: none; }
  pre { max-height: none; }
  pre, figure, tr, .contrast { break-inside: avoid-page; }
  h2, h3, h4, .lead, .label { break-after: avoid; }
  .matrix { font-size: 7pt; }
  .matrix th { padding: 0.3rem 0.2rem; font-size: 7pt; }
  .matrix td, .matrix summary { padding: 0.15rem; }
  .scroll { overflow: visible; }
  svg { min-width: 0; }
  details.reason::details-content { content-visibility: visible; block-size: auto; display: block; }
}
`;
