import type { Contract } from '../../../contract/index.ts';
import type { MockResponse } from '../../../mock/index.ts';
import { isControlTarget } from '../../../mock/control/control-target.ts';
import { judgeResponse } from '../../../mock/testing/response-judge.ts';
import { HostileConnection } from './connection.ts';
import { type HostileDocuments, type HostileRequest, hostileRequest } from './request.ts';

/** What a mock under hostile requests did. */
export interface HostileFindings {
  /** Responses by status. */
  readonly statuses: Map<number, number>;
  /** The first few that broke the contract, with what is wrong. */
  readonly broken: string[];
  brokenCount: number;
}

/** So many are told; the rest is counted. */
const mostTold = 20;

/** Nothing found yet. */
export function createFindings(): HostileFindings {
  return { statuses: new Map(), broken: [], brokenCount: 0 };
}

/** Where hostile requests go, and by what their responses are judged. */
export interface HostileTarget extends HostileDocuments {
  readonly port: number;
  readonly seed: number;
}

/** Sends the requests with indexes from `from` up to `to`, and adds to the findings. */
export async function sendHostile(
  { port, seed, ...documents }: HostileTarget,
  [from, to]: readonly [from: number, to: number],
  connections: number,
  findings: HostileFindings,
): Promise<void> {
  let next = from;
  const drive = async (connection: HostileConnection): Promise<void> => {
    for (let index = next++; index < to; index = next++)
      await sendOne(documents, connection, hostileRequest(documents, seed, index), findings);
    connection.close();
  };
  const opened = Array.from({ length: connections }, () => new HostileConnection(port));
  await Promise.all(opened.map(drive));
}

async function sendOne(
  documents: HostileDocuments,
  connection: HostileConnection,
  request: HostileRequest,
  findings: HostileFindings,
): Promise<void> {
  const { bytes, method, isWhole } = request;
  const { responses, end } = isWhole
    ? await connection.exchange(bytes, method)
    : await connection.exchangeAll(bytes, method);
  for (const response of responses) {
    findings.statuses.set(response.status, (findings.statuses.get(response.status) ?? 0) + 1);
    const faults = judge(documents, request, response);
    if (faults.length > 0) tell(findings, request, `${response.status}: ${faults.join('; ')}`);
  }
  if (end === 'late') tell(findings, request, 'no response in 30 seconds');
  else if (isWhole && responses.length === 0) tell(findings, request, 'no response');
}

function tell(findings: HostileFindings, { index, bytes }: HostileRequest, fault: string): void {
  findings.brokenCount += 1;
  if (findings.broken.length >= mostTold) return;
  const start = JSON.stringify(bytes.toString('latin1', 0, 300));
  findings.broken.push(`request ${index}: ${fault.slice(0, 500)}\n  ${start}`);
}

/** What a response breaks. What is no request of the document's may only be refused. */
function judge(
  { contract, control }: HostileDocuments,
  { isWhole, method, target }: HostileRequest,
  response: MockResponse,
): readonly string[] {
  // After HEAD that arrived as another method, a body stands where the next response would.
  if (Number.isNaN(response.status)) return isWhole ? ['it is no response'] : [];
  if (response.status >= 500) return ['the status is 5XX'];
  // HEAD has no body; of malformed bytes nobody can say which request they are.
  if (method === 'HEAD' || method === 'OPTIONS') return [];
  if (!isWhole && response.status < 400) return [];
  if (isControlTarget(target, contract))
    return isWhole && isControl(target, control)
      ? judgeControl(control, method, target, response)
      : [];
  const judged = isWhole ? { method, target } : { method: 'GET', target: '/' };
  return judgeResponse(contract, { ...judged, headers: {}, content: undefined }, response);
}

/** The page beside the control interface is in no document. */
function isControl(target: string, { basePath }: Contract): boolean {
  return target.startsWith(`${basePath}/sandboxes`);
}

function judgeControl(
  control: Contract,
  method: string,
  target: string,
  response: MockResponse,
): readonly string[] {
  return judgeResponse(control, { method, target, headers: {}, content: undefined }, response);
}
