/** The style of the section Sandboxes. */
export const sandboxesStyle = `
.badge { display: inline-block; background: var(--doubt-wash); color: var(--doubt); border-radius: 6px; padding: 0 0.5rem; font-size: 0.86rem; font-weight: 600; }
.badge.bad { background: var(--bad-wash); color: var(--bad); }
.sandbox {
  .sandbox-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1.25rem; }
  .sandbox-head h1 { margin: 0; }
  .keys { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; margin: 0; padding: 0; }
  .keys .copy { position: static; margin-left: 0.3rem; }
  .sandbox-head > .error-line { flex-basis: 100%; }
  .jumps { display: flex; flex-wrap: wrap; margin: 0.5rem -0.65rem; }
  .jumps button { color: var(--link); }
  .panels { display: grid; gap: 1rem; }
  .panels-narrow { display: grid; gap: 1rem; align-content: start; min-width: 0; }
  .part { min-width: 0; }
  .part-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0.4rem 1rem; margin-bottom: 0.5rem; }
  .part h2 { margin: 0; }
  .part h3 { margin: 0.75rem 0 0.25rem; font-size: 1rem; }
  .part p { margin: 0.4rem 0; }
  .undo { background: var(--code); border-radius: 6px; padding: 0.35rem 0.7rem; }
  .part-head .tools { margin: 0; }
  .undo:empty { display: none; }
  .panels-narrow :is(button, input, select) { font-size: 0.9rem; padding: 0.2rem 0.5rem; }
  .short { width: 4.5rem; }
  .ask { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0.4rem; }
  .time { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.6rem; font-size: 1.05rem; font-variant-numeric: tabular-nums; }
  .file { cursor: pointer; border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.65rem; position: relative; }
  .file:hover { border-color: var(--soft); }
  .file:has(:focus-visible) { outline: 3px solid var(--link); outline-offset: 2px; }
  table.items .fold { padding: 0 0.4rem; }
  table.items .ends { white-space: nowrap; text-align: right; position: sticky; right: 0; background: var(--card); }
  table.items .ends button { padding: 0.1rem 0.5rem; font-size: 0.9em; }
  table.items .ends button + button { margin-left: 0.4rem; }
  .quota + .quota { margin-top: 1rem; border-top: 1px solid var(--line); }
  .window { margin: 0.5rem 0 0.75rem; }
  .window-text { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; font-variant-numeric: tabular-nums; }
  .meter { height: 0.55rem; background: var(--code); border: 1px solid var(--line); border-radius: 99px; overflow: hidden; flex: 1 1 6rem; }
  .window-bar { display: flex; align-items: center; gap: 0.4rem; margin-top: 0.1rem; }
  button.small { padding: 0.05rem 0.5rem; font-size: 0.86em; }
  .meter span { display: block; height: 100%; background: var(--good); }
  .meter.high span { background: var(--doubt); }
  .meter.spent span { background: var(--bad); }
  .faults { list-style: none; margin: 0.4rem 0; padding: 0; }
  .faults li { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0.3rem 1rem; padding: 0.35rem 0; border-bottom: 1px solid var(--line); }
  .questions { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: 0.75rem; }
  .questions fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 0; padding: 0.4rem 0.9rem 0.6rem; min-width: 0; }
  .questions legend { float: left; width: 100%; font-weight: 600; padding: 0 0.3rem 0.2rem; }
  .questions legend + label { clear: both; }
  .questions label { display: flex; gap: 0.5rem; align-items: baseline; padding: 0.1rem 0.3rem; border-radius: 6px; }
  .questions label.chosen { background: var(--good-wash); }
  .questions p { font-size: 0.86rem; margin: 0.35rem 0.3rem 0; overflow-wrap: anywhere; }
  table.items td { max-width: 22rem; overflow-wrap: break-word; }
  @media (max-width: 40rem) {
    .part { padding: 0.8rem 0.6rem; }
    table.items :is(th, td) { padding-inline: 0.22rem; }
    table.items .fold { padding: 0 0.1rem; }
    table.items .ends button { display: block; width: 100%; }
    table.items .ends button + button { margin: 0.3rem 0 0; }
  }
  @media (min-width: 72rem) {
    .panels { grid-template-columns: minmax(0, 1fr) 27rem; grid-template-rows: auto auto 1fr; }
    .panels > .part { grid-column: 1; align-self: start; }
    .panels-narrow { grid-column: 2; grid-row: 1 / span 3; }
  }
}
`;
