import type { CompileContext } from './compile-context.ts';
import type { DocumentNode } from '../document/node.ts';

/** Path of the first server, variables at their defaults: `/v1`. Empty for none. */
export function compileBasePath(context: CompileContext): string {
  const server = context.root.get('servers')?.items()[0];
  const template = server?.text('url');
  if (server === undefined || template === undefined) return '';
  const address = fillVariables(server, template);
  const url = URL.canParse(address, 'http://localhost/')
    ? new URL(address, 'http://localhost/')
    : undefined;
  if (url !== undefined) return url.pathname.replace(/\/+$/, '');
  context.issues.error(server.at('url'), `${address} is no address`);
  return '';
}

function fillVariables(server: DocumentNode, template: string): string {
  return template.replaceAll(
    /\{([^{}]+)\}/g,
    (whole, name: string) => server.get('variables')?.get(name)?.text('default') ?? whole,
  );
}
