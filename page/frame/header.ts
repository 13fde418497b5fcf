import { html, type Html } from '../../view/element.ts';
import type { Session } from '../session/session.ts';
import { renderRoute } from '../session/route.ts';
import { SandboxPicker } from './sandbox-picker.ts';
import { sections } from './sections.ts';
import { ThemePicker } from './theme-picker.ts';

/** The head of the page: what is mocked, the sections, the sandbox and the theme. */
export function Header({ session, section }: { session: Session; section: string }): Html {
  const { document: shown } = session.mock;
  return html`<header class="bar">
    <p class="name"><strong>${shown.title}</strong> <span>${shown.version}</span></p>
    <nav aria-label="Sections">
      <ul>
        ${sections.map(
          ({ id, title }) => html`<li key=${id}>
            <a
              href=${renderRoute({ section: id, sandbox: session.sandbox })}
              aria-current=${id === section ? 'page' : undefined}
              >${title}</a
            >
          </li>`,
        )}
      </ul>
    </nav>
    <div class="pickers">
      <${SandboxPicker} session=${session} />
      <${ThemePicker} />
    </div>
  </header>`;
}
