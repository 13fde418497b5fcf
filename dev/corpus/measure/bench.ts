import { listOperations, type Operation } from '../document/operation.ts';
import { type PublicDocument, readDocument } from '../document/read.ts';
import { createSchemaJudge, type SchemaJudge } from '../document/schema-judge.ts';
import { RequestBuilder } from '../request/request.ts';
import { Sender } from '../request/send.ts';
import { ValueMaker } from '../request/value.ts';

/** What asks a server and judges it, from the document alone. */
export interface Bench {
  readonly document: PublicDocument;
  readonly operations: readonly Operation[];
  readonly requestJudge: SchemaJudge;
  readonly responseJudge: SchemaJudge;
  readonly requests: RequestBuilder;
  readonly sender: Sender;
}

/** @param base address of the server, without a last slash */
export async function createBench(file: string, base: string): Promise<Bench> {
  const document = await readDocument(file);
  const requestJudge = createSchemaJudge(document, 'request');
  return {
    document,
    operations: listOperations(document),
    requestJudge,
    responseJudge: createSchemaJudge(document, 'response'),
    requests: new RequestBuilder(document, new ValueMaker(document, requestJudge)),
    sender: new Sender(base),
  };
}
