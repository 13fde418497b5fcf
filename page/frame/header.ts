import { useEffect, useRef } from 'preact/hooks';
import { html, type Html } from '../../view/element.ts';
import type { Session } from '../session/session.ts';
import { renderRoute } from '../session/route.ts';
import { SandboxBadges } from './sandbox-badges.ts';
import { SandboxPicker } from './sandbox-picker.ts';
import { sections } from './sections.ts';
import { ThemePicker } from './theme-picker.ts';

/** The head of the page: what is mocked, the sections, the sandbox and the theme. */
export function Header({ session, section }: { session: Session; section: string }): Html {
  const { document: shown } = session.mock;
  const bar = useHeight();
  return html`<header class="bar" ref=${bar}>
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
      <${SandboxBadges} session=${session} />
      <${ThemePicker} />
    </div>
  </header>`;
}

/** Tells the style how high the head is, as `--bar`: what fills the window takes the rest. */
function useHeight(): { readonly current: HTMLElement | null } {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = bar.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--bar', `${element.offsetHeight}px`),
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return bar;
}
