import { type Html, html } from '../../../view/element.ts';
import type { LogSnapshot } from '../log/use-log.ts';
import type { RequestFilter } from './filter.ts';
import type { Selection } from './selection.ts';

export interface CountsProps {
  readonly log: LogSnapshot;
  readonly selection: Selection;
  readonly filter: RequestFilter;
  readonly onStatus: (status: string) => void;
}

/** How many requests there are and are shown, by class of status. */
export function Counts({ log, selection, filter, onStatus }: CountsProps): Html {
  const { rows, classes } = selection;
  const { requests, leftOut, missed } = log;
  return html`<p class="counts">
    <span><b>${rows.length.toLocaleString('en')}</b> of ${requests.length.toLocaleString('en')}</span>
    ${[...classes.keys()].toSorted().map((name) => {
      const isChosen = filter.status === name;
      return html`<button
        key=${name}
        type="button"
        class="quiet s${name}"
        aria-pressed=${isChosen}
        onClick=${() => onStatus(isChosen ? '' : name)}
      >${name} ${(classes.get(name) ?? 0).toLocaleString('en')}</button>`;
    })}
    ${leftOut > 0 && html`<span class="soft">${leftOut.toLocaleString('en')} older ones are no longer kept here</span>`}
    ${missed > 0 && html`<span class="soft">${missed.toLocaleString('en')} came while the page was away, and no journal has them</span>`}
  </p>`;
}
