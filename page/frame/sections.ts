import type { Html } from '../view/element.ts';
import { Conformance } from '../conformance/conformance.ts';
import { Reference } from '../reference/reference.ts';
import { Requests } from '../requests/requests.ts';
import { Sandboxes } from '../sandboxes/sandboxes.ts';
import type { SectionProps } from '../session/session.ts';
import { Start } from '../start/start.ts';

/** A section of the page, under `#/<id>`. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly component: (props: SectionProps) => Html;
}

export const sections: readonly Section[] = [
  { id: 'start', title: 'Start', component: Start },
  { id: 'requests', title: 'Requests', component: Requests },
  { id: 'sandboxes', title: 'Sandboxes', component: Sandboxes },
  { id: 'reference', title: 'Reference', component: Reference },
  { id: 'tests', title: 'Tests', component: Conformance },
];
