/** The style of what every section has: text, controls, header and messages. */
export const frameStyle = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 0.95rem/1.5 var(--sans); overflow-wrap: break-word; }
h1 { font-size: 1.35rem; line-height: 1.25; letter-spacing: -0.01em; margin: 0 0 1rem; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 0.5rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
code, pre, .mono { font-family: var(--mono); font-size: 0.88em; }
pre code { font-size: 1em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.soft { color: var(--soft); }
.hidden { display: none; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 9; background: var(--card); padding: 0.25rem 0.75rem; }
button, select, input, textarea { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 6px; background: var(--card); padding: 0.3rem 0.65rem; max-width: 100%; }
button { cursor: pointer; }
button:hover { border-color: var(--soft); }
button:disabled { color: var(--soft); cursor: not-allowed; }
button.main { background: var(--link); border-color: var(--link); color: var(--paper); font-weight: 600; }
button.quiet { border-color: transparent; background: none; }
button.danger { color: var(--bad); }
textarea { font-family: var(--mono); font-size: 0.88em; width: 100%; }
input[type="checkbox"], input[type="radio"] { padding: 0; }
label.inline { display: inline-flex; align-items: center; gap: 0.4rem; }
.bar { position: sticky; top: 0; z-index: 5; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem; padding: 0.5rem clamp(0.75rem, 3vw, 2rem); background: var(--card); border-bottom: 1px solid var(--line); }
.bar .name { margin: 0; max-width: 24rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar .name span { color: var(--soft); }
.bar nav { flex: 1 1 auto; }
.bar ul { display: flex; flex-wrap: wrap; gap: 0.25rem; list-style: none; margin: 0; padding: 0.2rem; }
.bar nav a { display: block; padding: 0.3rem 0.7rem; border-radius: 6px; color: var(--soft); text-decoration: none; }
.bar nav a:hover { color: var(--ink); background: var(--code); }
.bar nav a[aria-current] { color: var(--ink); background: var(--code); font-weight: 600; }
.badges { display: inline-flex; flex-wrap: wrap; gap: 0.3rem; text-decoration: none; }
.pickers { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
main { padding: 1.25rem clamp(0.75rem, 3vw, 2rem) 4rem; max-width: 110rem; margin: 0 auto; }
main:focus { outline: none; }
main.alone { max-width: 34rem; padding-top: 12vh; }
.lost { background: var(--doubt-wash); color: var(--doubt); border-radius: 6px; padding: 0.5rem 0.9rem; margin: 0 0 1rem; }
.notice { position: fixed; right: 1rem; bottom: 1rem; z-index: 9; max-width: min(30rem, calc(100vw - 2rem)); border-radius: 8px; border-left: 4px solid var(--good); background: var(--card); box-shadow: 0 2px 14px rgb(0 0 0 / 25%); padding: 0.6rem 0.9rem; }
.notice.bad { border-color: var(--bad); }
.notice:empty { display: none; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }
.error { color: var(--bad); }
table { border-collapse: collapse; width: 100%; background: var(--card); font-size: 0.92em; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.6rem; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; color: var(--soft); white-space: nowrap; }
@media (max-width: 40rem) {
  .bar { justify-content: space-between; column-gap: 0.5rem; padding-block: 0.3rem; }
  .bar .name { flex: 1 1 6rem; }
  .bar nav { order: 1; flex-basis: 100%; }
  .bar ul { gap: 0 0.1rem; padding: 0; margin-inline: -0.3rem; }
  .bar nav a { padding: 0.25rem 0.3rem; font-size: 0.9rem; }
}
.scroll { overflow-x: auto; }
`;
