import { CopyButton } from '../../view/copy-button.ts';
import { type Html, html } from '../../view/element.ts';
import type { Mock } from '../session/types.ts';

/** The keys of the mock with their plans and limits, and the form of a key with its own sandbox. */
export function Keys({ mock: { keys, ownKey } }: { mock: Mock }): Html {
  if (keys.length === 0) return html`<p>The document wants no key.</p>`;
  const hasPlans = keys.some(({ plan }) => plan !== '');
  const windows = [...new Set(keys.flatMap(({ limits }) => limits.map(({ window }) => window)))];
  return html`<div class="scroll">
      <table aria-label="Keys">
        <thead>
          <tr>
            <th scope="col">Key</th>
            ${hasPlans && html`<th scope="col">Plan</th>`}
            ${windows.map((window) => html`<th scope="col" key=${window} class="number">a ${window}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${keys.map(
            ({ key, plan, limits }) => html`<tr key=${key}>
              <th scope="row"><span class="copied"><code>${key}</code> ${CopyButton({ text: key, what: `the key ${key}` })}</span></th>
              ${hasPlans && html`<td>${plan}</td>`}
              ${windows.map(
                (window) => html`<td key=${window} class="number">${limitOf(limits, window)}</td>`,
              )}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      ownKey !== undefined &&
      html`<p class="soft">
        These keys share the sandbox <code>main</code>. A key such as${' '}
        <span class="copied"><code>${ownKey}</code> ${CopyButton({ text: ownKey, what: `the key ${ownKey}` })}</span>
        ${' '}opens a sandbox of its own: items, clock, quotas and faults that no other key sees.
      </p>`
    }`;
}

function limitOf(limits: Mock['keys'][number]['limits'], window: string): string {
  return limits.find((one) => one.window === window)?.limit.toLocaleString('en') ?? '';
}
