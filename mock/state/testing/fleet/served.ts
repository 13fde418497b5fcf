import { createMock } from '../../../mock.ts';
import { loadInventory, loadPetstore } from '../../../testing/contracts.ts';
import { openStateEngine } from '../../open/open.ts';

const [port, state = ''] = process.argv.slice(2);
const notice = (text: string): void => console.error(text);
const engine = await openStateEngine(state, notice);
const mock = createMock(await loadPetstore(), {
  seed: await loadInventory(),
  state: engine,
  onFault: (fault) => console.error(fault),
});
await mock.listen({ port: Number(port) });
console.log('{"kind":"listening"}');
