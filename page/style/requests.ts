/** The style of the section Requests. */
export const requestsStyle = `
.requests { display: flex; flex-direction: column; gap: 0.4rem; height: calc(100dvh - var(--bar, 3.5rem) - 3.5rem); min-height: 26rem; margin-bottom: -3rem; }
.requests > p { margin: 0; }
.requests-head { display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem 1.25rem; }
.requests-head h1 { margin: 0 0 0.2rem; }
.requests-head form { flex: 1 1 20rem; }
.controls .wide { flex: 1 1 10rem; max-width: 24rem; }
.controls input[type="search"] { width: 100%; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.buttons .copy { position: static; font: inherit; color: inherit; padding: 0.3rem 0.65rem; border-radius: 6px; }
.counts { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1rem; font-variant-numeric: tabular-nums; }
.counts button { padding: 0 0.4rem; }
.counts button[aria-pressed="true"] { border-color: currentColor; }
.requests-body { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; }
.with-panel .requests-body { grid-template-columns: minmax(0, 1fr) minmax(26rem, 46%); }
.list-of-requests { overflow: auto; overflow-anchor: none; background: var(--card); border: 1px solid var(--line); border-radius: 8px; font-size: 0.86rem; container-type: inline-size; contain: content; scrollbar-gutter: stable; }
.list-of-requests { --time: 6.2rem; }
.list-of-requests.dated { --time: 11.2rem; }
.list-of-requests .heads { position: sticky; top: 0; z-index: 1; background: var(--card); border-bottom: 1px solid var(--line); color: var(--soft); font-weight: 600; }
.rows { position: relative; }
.request { display: grid; grid-template-columns: var(--time) 4rem minmax(6rem, 1fr) 5.5rem 8rem 6rem 5.5rem 4rem; gap: 0 0.75rem; align-items: center; height: 28px; padding: 0 0.75rem; }
.rows .request { position: absolute; contain: strict; left: 0; right: 0; top: 0; cursor: pointer; font-variant-numeric: tabular-nums; }
.rows .request:hover { background: var(--code); }
.rows .request[aria-selected="true"] { background: var(--code); box-shadow: inset 3px 0 0 var(--link); }
.request > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.request .target { font-family: var(--mono); font-size: 0.95em; }
.request abbr { text-decoration: none; font-size: 0.85em; color: var(--doubt); }
.request [role="columnheader"]:last-child { text-align: right; }
.s2xx .status, button.s2xx { color: var(--good); }
.s3xx .status, button.s3xx { color: var(--link); }
.s4xx .status, button.s4xx { color: var(--doubt); }
.s5xx .status, button.s5xx { color: var(--bad); }
@container (max-width: 48rem) {
  .request { grid-template-columns: var(--time) 4rem minmax(5rem, 1fr) 5.5rem 6rem; }
  .request > :nth-child(5), .request > :nth-child(7), .request > :nth-child(8) { display: none; }
}
@container (max-width: 30rem) {
  .request { grid-template-columns: 4rem minmax(5rem, 1fr) 4.5rem; gap: 0 0.5rem; }
  .request > :nth-child(1), .request > :nth-child(6) { display: none; }
}
.request-panel { overflow: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 1rem 1.25rem; display: flex; flex-direction: column; gap: 0.75rem; }
.request-panel p { margin: 0; }
.request-panel p:empty { display: none; }
.request-head { display: flex; justify-content: space-between; align-items: start; gap: 1rem; }
.request-head h2 { margin: 0; font-weight: 400; overflow-wrap: anywhere; }
.reason { border-left: 4px solid var(--bad); background: var(--bad-wash); border-radius: 4px; padding: 0.4rem 0.75rem; }
.reason.doubt { border-color: var(--doubt); background: var(--doubt-wash); }
.reason.hint { border-color: var(--link); background: var(--code); }
.place { font-size: 0.92em; }
.place > * + * { margin-top: 0.4rem; }
@media (max-width: 62rem) {
  .requests.with-panel { height: auto; margin-bottom: 0; }
  .with-panel .requests-body { grid-template-columns: minmax(0, 1fr); grid-template-rows: 34dvh auto; }
}
@media (max-width: 40rem) {
  .requests { height: calc(100dvh - var(--bar, 6rem) - 2rem); }
}
`;
