// Written by `npm run config` of the flags of the commands.

/** What petstore.config.ts exports. Flags and the environment win. */
export interface Config {
  /** OpenAPI document. Default: the bundled openapi.yaml. */
  readonly contract?: string | undefined;
  /**
   * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
   * lists them.
   */
  readonly strict?: boolean | undefined;
  /**
   * Follow references of the document into this folder too. Default: its own folder only. May be
   * repeated.
   */
  readonly allowFolder?: readonly string[] | undefined;
  /**
   * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
   * repeated.
   */
  readonly overlay?: readonly string[] | undefined;
  /** Fetch what the document refers to by http: and https:. */
  readonly allowNetwork?: boolean | undefined;
  /**
   * Runs a mock server that keeps the contract, with state, keys, rate limits and true errors. It
   * runs until SIGINT or SIGTERM.
   */
  readonly mock?: {
    /** Port to listen on, 0 for a free one. Default: 4010. */
    readonly port?: number | undefined;
    /** Address to listen on. Default: 127.0.0.1. */
    readonly host?: string | undefined;
    /** OpenAPI document to serve. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
     * lists them.
     */
    readonly strict?: boolean | undefined;
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /**
     * JSON file of items to start with, by collection path. Default: the bundled inventory, or the
     * list examples of another document.
     */
    readonly seed?: string | undefined;
    /**
     * Items to start with out of traffic: an HTTP Archive (HAR), a report.json of petstore
     * conform, or a running server at its base URL, whose lists are read (docs/mock.md).
     */
    readonly seedFrom?: string | undefined;
    /** API key for the server of --seed-from. Default: PETSTORE_API_KEY. */
    readonly apiKey?: string | SecretVariable | undefined;
    /**
     * Takes it from a file of one line, where no list of processes shows it; - is the standard
     * input. Default: PETSTORE_API_KEY_FILE.
     */
    readonly apiKeyFile?: string | undefined;
    /**
     * JSON or YAML file of stubs: requests that are answered as they say (docs/stubs.md). It is
     * read again when it changes.
     */
    readonly stubs?: string | undefined;
    /**
     * What to do where the document leaves it open. Its questions and choices stand in it under
     * x-unspecified. May be repeated.
     */
    readonly choice?: readonly string[] | Readonly<Record<string, string | number>> | undefined;
    /**
     * Do as a server did where the document leaves it open: a report.json of petstore conform
     * --report. --choice goes before it.
     */
    readonly like?: string | undefined;
    /** Sandboxes that are kept, besides that of the keys shown at the start. Default: 1000. */
    readonly sandboxes?: number | undefined;
    /**
     * What the mock keeps in all sandboxes, in MiB; one sandbox keeps at most a quarter of it
     * (docs/limits.md). Default: 512, less in a small process.
     */
    readonly maxMemory?: string | undefined;
    /**
     * Take this key, such as business_shard-1, and besides the keys shown at the start no other.
     * May be repeated. Default: any key that names a sandbox.
     */
    readonly key?: readonly string[] | undefined;
    /**
     * Keep the sandboxes in a folder, file:./petstore-state, or on a server,
     * valkey://127.0.0.1:6379, so that they outlive the mock and several mocks share them
     * (docs/state.md). Default: in memory.
     */
    readonly state?: string | undefined;
    /**
     * Requests a window, such as enterprise.minute=5000. May be repeated. The plan "anonymous"
     * stands for callers without a valid key.
     */
    readonly limit?: readonly string[] | Readonly<Record<string, string | number>> | undefined;
    /** Requests after a 429, before Retry-After has passed, that lead to a ban. Default: 10. */
    readonly banAfter?: number | undefined;
    /** Length of a ban, 0 for none. Default: what the document says, else 60. */
    readonly banSeconds?: number | undefined;
    /** Serve HTTPS with a certificate that is made for it, signed by itself. */
    readonly tls?: boolean | undefined;
    /** Serve HTTPS with this key and certificate, in PEM. */
    readonly tlsKey?: string | undefined;
    /** Serve HTTPS with this key and certificate, in PEM. */
    readonly tlsCert?: string | undefined;
    /**
     * Let other machines use the control interface under /_mock/, with this bearer token. Default:
     * PETSTORE_MOCK_CONTROL_TOKEN.
     */
    readonly controlToken?: string | SecretVariable | undefined;
    /**
     * Takes it from a file of one line, where no list of processes shows it; - is the standard
     * input. Default: PETSTORE_MOCK_CONTROL_TOKEN_FILE.
     */
    readonly controlTokenFile?: string | undefined;
    /** Let pages of this origin use the control interface. */
    readonly controlCors?: string | undefined;
    /** Do not reload the document, and the stubs, when they change. */
    readonly noWatch?: boolean | undefined;
    /** What is printed: text, the default, or json, an object a line (docs/mock.md). */
    readonly log?: 'text' | 'json' | undefined;
    /** No line for each request. */
    readonly quiet?: boolean | undefined;
  } | undefined;
  /**
   * Judges a server against the contract. Without --base-url it starts the mock on a free port and
   * judges that. With --certify it drives to the rate limit as with --exhaust, unless --read-only.
   */
  readonly conform?: {
    /** Base address, with its version segment. Default: PETSTORE_BASE_URL. */
    readonly baseUrl?: string | undefined;
    /** API key of the target. Default: PETSTORE_API_KEY. */
    readonly apiKey?: string | SecretVariable | undefined;
    /**
     * Takes it from a file of one line, where no list of processes shows it; - is the standard
     * input. Default: PETSTORE_API_KEY_FILE.
     */
    readonly apiKeyFile?: string | undefined;
    /** Plan of the key: its limits are then held against the headers. Default: not told. */
    readonly plan?: string | undefined;
    /**
     * Most requests that may be sent to a target. Default: what its plan allows in a minute, at
     * most 240; 60 where a plan is not told.
     */
    readonly requests?: number | undefined;
    /** The same seed sends the same requests. Default: 1. */
    readonly seed?: number | undefined;
    /** OpenAPI document to judge by. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
     * lists them.
     */
    readonly strict?: boolean | undefined;
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /** Ends with a drive to the rate limit; its requests come on top of --requests. */
    readonly exhaust?: boolean | undefined;
    /** Sends no request that may add or change items. */
    readonly readOnly?: boolean | undefined;
    /** Judges only this requirement, family or operation. May be repeated. */
    readonly only?: readonly string[] | undefined;
    /** Leaves this requirement, family or operation out. May be repeated. */
    readonly skip?: readonly string[] | undefined;
    /** A category that exists. Default: one that the target's own list shows. */
    readonly categoryId?: string | number | undefined;
    /**
     * An identifier that exists, by the path parameter or the collection: --id petId=7. May be
     * repeated.
     */
    readonly id?: readonly string[] | Readonly<Record<string, string | number>> | undefined;
    /**
     * The target holds nothing of value: items that the suite did not add may be changed and
     * removed. So it is with the mock.
     */
    readonly disposable?: boolean | undefined;
    /**
     * Nobody else uses the target: items that no response accounts for were stored by a refused
     * request. So it is with the mock.
     */
    readonly exclusive?: boolean | undefined;
    /**
     * Percent of the planned requests that have to be tested; a run below is inconclusive.
     * Default: 90.
     */
    readonly requireTested?: string | undefined;
    /**
     * Time after which nothing more is sent; what is left is not tested. Default: what the plan
     * takes with its waits, and some time to spare.
     */
    readonly timeLimit?: number | undefined;
    /** Time until a request without a response counts as hung. Default: 10. */
    readonly timeout?: number | undefined;
    /**
     * Most bytes of a response that is judged; with more than 8 MiB, more values and larger logs
     * are judged too. Default: 8388608.
     */
    readonly maxResponseBytes?: string | undefined;
    /** Does not verify the target's certificate. */
    readonly insecure?: boolean | undefined;
    /** Sends so many more requests: generated values, and sequences against a model. Default: 0. */
    readonly fuzz?: number | undefined;
    /**
     * Sends only the part of --fuzz that falls to shard i of n, and the run plan. petstore merge
     * makes one report of all (docs/fuzzing.md).
     */
    readonly shard?: string | undefined;
    /** Of the requests, how many may go into smaller counterexamples. Default: a tenth, at least 5. */
    readonly shrink?: number | undefined;
    /** Looks first for the counterexamples in the folder, and adds those that are found. */
    readonly save?: string | undefined;
    /**
     * Repeats one counterexample and nothing else: the id of a failure, or report.json#<id> of a
     * report. 0 no longer there, 1 still there, 2 not shown.
     */
    readonly replay?: string | number | undefined;
    /**
     * JSON file of failures that are known and agreed: requirement, reason, owner, expires. One
     * that is out of date, or whose requirement passes, fails the run.
     */
    readonly waivers?: string | undefined;
    /**
     * Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder. A
     * report of the same kind is replaced, and nothing else.
     */
    readonly report?: string | undefined;
    /** Replaces whatever has these names, also a certificate. */
    readonly force?: boolean | undefined;
    /** The verdict and the failures only. */
    readonly quiet?: boolean | undefined;
    /**
     * Writes certificate.json, certificate.html and badge.svg into the folder of --report, else
     * into this one. Exit code 0 then means that the certificate says "conforms".
     */
    readonly certify?: boolean | undefined;
    /** What the certificate calls the target or client. Needed for --certify. */
    readonly targetName?: string | undefined;
    /** What the certificate calls the target or client. Needed for --certify. */
    readonly targetVersion?: string | undefined;
    /** Private key to sign the certificate with (petstore keygen). Default: it is unsigned. */
    readonly sign?: string | undefined;
  } | undefined;
  /**
   * Makes one report of the reports of petstore conform --shard: files report.json, folders that
   * hold one, or folders of such folders. Each log is judged again. A requirement that a shard
   * fails is failed; it is passed where the log of some shard shows it and none shows the
   * contrary. With --certify it reads the certificate.json of each shard instead, verifies it, and
   * signs a certificate that cites them.
   */
  readonly merge?: {
    /** A shard that is missing does not make the report inconclusive. It is told all the same. */
    readonly allowMissing?: boolean | undefined;
    /** OpenAPI document that the shards judged by. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
     * lists them.
     */
    readonly strict?: boolean | undefined;
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /**
     * Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder. A
     * report of the same kind is replaced, and nothing else.
     */
    readonly report?: string | undefined;
    /** Replaces whatever has these names, also a certificate. */
    readonly force?: boolean | undefined;
    /** The verdict and the failures only. */
    readonly quiet?: boolean | undefined;
    /**
     * Writes certificate.json, certificate.html and badge.svg into the folder of --report, else
     * into this one. Exit code 0 then means that the certificate says "conforms".
     */
    readonly certify?: boolean | undefined;
    /** What the certificate calls the target or client. Needed for --certify. */
    readonly targetName?: string | undefined;
    /** What the certificate calls the target or client. Needed for --certify. */
    readonly targetVersion?: string | undefined;
    /** Private key to sign the certificate with (petstore keygen). Default: it is unsigned. */
    readonly sign?: string | undefined;
  } | undefined;
  /**
   * Tells what is wrong with OpenAPI documents, 2.0 to 3.2: a line for each fault with file, line,
   * column, level, JSON pointer, reason and remedy. An error leaves a part of the document out,
   * for mock and suite alike; a warning is read as it was probably meant; a hint changes nothing.
   */
  readonly lint?: {
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Prints the list as JSON (docs/lint.md). */
    readonly json?: boolean | undefined;
  } | undefined;
  /**
   * Sends the same requests to two servers, one after the other, and tells only what differs:
   * requirements that one fails or both fail differently, and other choices in what the contract
   * leaves open. Addresses end in the version segment.
   */
  readonly diff?: {
    /** API key of both. Default: PETSTORE_API_KEY. */
    readonly apiKey?: string | SecretVariable | undefined;
    /**
     * Takes it from a file of one line, where no list of processes shows it; - is the standard
     * input. Default: PETSTORE_API_KEY_FILE.
     */
    readonly apiKeyFile?: string | undefined;
    /** API key of one side. */
    readonly apiKeyA?: string | SecretVariable | undefined;
    /** API key of one side. */
    readonly apiKeyB?: string | SecretVariable | undefined;
    /**
     * Takes it from a file of one line, where no list of processes shows it; - is the standard
     * input.
     */
    readonly apiKeyAFile?: string | undefined;
    /**
     * Takes it from a file of one line, where no list of processes shows it; - is the standard
     * input.
     */
    readonly apiKeyBFile?: string | undefined;
    /** Plan of both keys: its limits are then held against the headers. Default: not told. */
    readonly plan?: string | undefined;
    /** Plan of the key of one side. */
    readonly planA?: string | undefined;
    /** Plan of the key of one side. */
    readonly planB?: string | undefined;
    /**
     * Most requests that may be sent to a target. Default: what its plan allows in a minute, at
     * most 240; 60 where a plan is not told.
     */
    readonly requests?: number | undefined;
    /** The same seed sends the same requests. Default: 1. */
    readonly seed?: number | undefined;
    /** OpenAPI document to judge by. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
     * lists them.
     */
    readonly strict?: boolean | undefined;
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /** Ends with a drive to the rate limit; its requests come on top of --requests. */
    readonly exhaust?: boolean | undefined;
    /** Sends no request that may add or change items. */
    readonly readOnly?: boolean | undefined;
    /** Judges only this requirement, family or operation. May be repeated. */
    readonly only?: readonly string[] | undefined;
    /** Leaves this requirement, family or operation out. May be repeated. */
    readonly skip?: readonly string[] | undefined;
    /** A category that exists. Default: one that the target's own list shows. */
    readonly categoryId?: string | number | undefined;
    /**
     * An identifier that exists, by the path parameter or the collection: --id petId=7. May be
     * repeated.
     */
    readonly id?: readonly string[] | Readonly<Record<string, string | number>> | undefined;
    /**
     * The target holds nothing of value: items that the suite did not add may be changed and
     * removed. So it is with the mock.
     */
    readonly disposable?: boolean | undefined;
    /**
     * Nobody else uses the target: items that no response accounts for were stored by a refused
     * request. So it is with the mock.
     */
    readonly exclusive?: boolean | undefined;
    /**
     * Percent of the planned requests that have to be tested; a run below is inconclusive.
     * Default: 90.
     */
    readonly requireTested?: string | undefined;
    /**
     * Time after which nothing more is sent; what is left is not tested. Default: what the plan
     * takes with its waits, and some time to spare.
     */
    readonly timeLimit?: number | undefined;
    /** Time until a request without a response counts as hung. Default: 10. */
    readonly timeout?: number | undefined;
    /**
     * Most bytes of a response that is judged; with more than 8 MiB, more values and larger logs
     * are judged too. Default: 8388608.
     */
    readonly maxResponseBytes?: string | undefined;
    /** Does not verify the target's certificate. */
    readonly insecure?: boolean | undefined;
    /** Prints the comparison as JSON (docs/diff.schema.json). */
    readonly json?: boolean | undefined;
    /** The differences only: no waits, and nothing of what only one side showed. */
    readonly quiet?: boolean | undefined;
  } | undefined;
  /**
   * Runs a client once per scenario against the mock, and judges it by what it sends. The command
   * is run without a shell, and finds in its environment:
   */
  readonly 'certify-client'?: {
    /** Runs only this scenario. May be repeated. Default: all. */
    readonly scenario?: readonly (string | number)[] | undefined;
    /** Prints the scenarios, and runs nothing. */
    readonly list?: boolean | undefined;
    /** Scenarios that run at the same time. Default: 6; 1 with --port. */
    readonly jobs?: number | undefined;
    /** Time for the command in each scenario; then it is ended. Default: 30. */
    readonly timeout?: number | undefined;
    /** Port of the mock; scenarios then run one after another. Default: a free one for each. */
    readonly port?: number | undefined;
    /** Plan of the keys. Default: the first of the document. */
    readonly plan?: string | undefined;
    /** OpenAPI document to judge by. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
     * lists them.
     */
    readonly strict?: boolean | undefined;
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /**
     * Prints the last lines of the command's output in each scenario, not only where something is
     * wrong.
     */
    readonly showOutput?: boolean | undefined;
    /**
     * Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder. A
     * report of the same kind is replaced, and nothing else.
     */
    readonly report?: string | undefined;
    /** Replaces whatever has these names, also a certificate. */
    readonly force?: boolean | undefined;
    /** The verdict and the failures only. */
    readonly quiet?: boolean | undefined;
    /**
     * Writes certificate.json, certificate.html and badge.svg into the folder of --report, else
     * into this one. Exit code 0 then means that the certificate says "conforms".
     */
    readonly certify?: boolean | undefined;
    /** What the certificate calls the target or client. Needed for --certify. */
    readonly targetName?: string | undefined;
    /** What the certificate calls the target or client. Needed for --certify. */
    readonly targetVersion?: string | undefined;
    /** Private key to sign the certificate with (petstore keygen). Default: it is unsigned. */
    readonly sign?: string | undefined;
  } | undefined;
  /**
   * Judges a client by what it has sent to a mock that runs: by the journal of its sandbox, which
   * has the last requests.
   */
  readonly 'judge-journal'?: {
    /** Address of the mock. Default: http://127.0.0.1:4010. */
    readonly mock?: string | undefined;
    /**
     * The sandbox of the client, such as alice; or a key, such as free_alice, of which alone the
     * requests are judged. Default: main, which the demo keys share, with the requests that had no
     * valid key (the sandbox no-key).
     */
    readonly sandbox?: string | undefined;
    /** Token of the mock's control interface, where it was started with one. */
    readonly token?: string | SecretVariable | undefined;
    /**
     * Takes it from a file of one line, where no list of processes shows it; - is the standard
     * input.
     */
    readonly tokenFile?: string | undefined;
    /**
     * Judges a journal that was saved in place of the mock's: the response of GET
     * /_mock/sandboxes/{sandbox}/journal.
     */
    readonly journal?: string | undefined;
    /** OpenAPI document to judge by. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
     * lists them.
     */
    readonly strict?: boolean | undefined;
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /**
     * Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder. A
     * report of the same kind is replaced, and nothing else.
     */
    readonly report?: string | undefined;
    /** Replaces whatever has these names, also a certificate. */
    readonly force?: boolean | undefined;
    /** The verdict and the failures only. */
    readonly quiet?: boolean | undefined;
  } | undefined;
  /**
   * Passes requests on to a server as they are, and judges every exchange. Tells each requirement
   * that fails when it fails first, and all that was found at its end (Ctrl-C).
   */
  readonly proxy?: {
    /** Base address of the server, with its version segment. Needed. */
    readonly target?: string | undefined;
    /** Port to listen on; 0 for a free one. Default: 4020. */
    readonly port?: number | undefined;
    /** Address to listen on. Default: 127.0.0.1. */
    readonly host?: string | undefined;
    /**
     * Answers 502 with the findings in the place of a response that breaks the contract. JSON is
     * then held to its end.
     */
    readonly errors?: boolean | undefined;
    /** Does not verify the target's certificate. */
    readonly insecure?: boolean | undefined;
    /** JSON file of failures that are known and agreed: requirement, reason, owner, expires. */
    readonly waivers?: string | undefined;
    /**
     * Percent of the exchanges, and of the successes among them, whose response has to be judged
     * to its end; traffic with fewer is inconclusive. Default: 90.
     */
    readonly requireTested?: string | undefined;
    /** OpenAPI document to judge by. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
     * lists them.
     */
    readonly strict?: boolean | undefined;
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /**
     * Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder. A
     * report of the same kind is replaced, and nothing else.
     */
    readonly report?: string | undefined;
    /** Replaces whatever has these names, also a certificate. */
    readonly force?: boolean | undefined;
    /** The verdict and the failures only. */
    readonly quiet?: boolean | undefined;
  } | undefined;
  /**
   * Judges a service by recorded traffic: an HTTP Archive of a browser, Playwright, k6, mitmproxy
   * or --report. A journal of the mock is judged as petstore judge-journal does: the client by
   * what it sent.
   */
  readonly judge?: {
    /**
     * Base address of the service in the recording, with its version segment: only what is below
     * it is judged. Default: a server of the document, else the address with most requests that
     * the document describes.
     */
    readonly target?: string | undefined;
    /** JSON file of failures that are known and agreed: requirement, reason, owner, expires. */
    readonly waivers?: string | undefined;
    /**
     * Percent of the exchanges, and of the successes among them, whose response has to be judged
     * to its end; traffic with fewer is inconclusive. Default: 90.
     */
    readonly requireTested?: string | undefined;
    /** OpenAPI document to judge by. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
     * lists them.
     */
    readonly strict?: boolean | undefined;
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /**
     * Writes report.json, report.html, junit.xml, summary.md and exchanges.har into the folder. A
     * report of the same kind is replaced, and nothing else.
     */
    readonly report?: string | undefined;
    /** Replaces whatever has these names, also a certificate. */
    readonly force?: boolean | undefined;
    /** The verdict and the failures only. */
    readonly quiet?: boolean | undefined;
  } | undefined;
  /**
   * Tells which collections of items an OpenAPI document seems to have: the role of each
   * operation, what speaks for it, where items and ids stand in responses; and what has no role,
   * and why. The mock keeps items by this. x-resource in the document overrules it.
   */
  readonly resources?: {
    /**
     * Refuse a document with any error. Default: the parts at fault are left out; petstore lint
     * lists them.
     */
    readonly strict?: boolean | undefined;
    /**
     * Follow references of the document into this folder too. Default: its own folder only. May be
     * repeated.
     */
    readonly allowFolder?: readonly string[] | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /** Fetch what the document refers to by http: and https:. */
    readonly allowNetwork?: boolean | undefined;
    /** Writes JSON. */
    readonly json?: boolean | undefined;
  } | undefined;
  /** Makes a key to sign certificates with: Ed25519, in PEM. */
  readonly keygen?: {
    /**
     * Writes <name>.pem, the private key, for its owner's eyes only (mode 0600), and
     * <name>.pub.pem, the public key, to give to whoever is to verify. Nothing is overwritten.
     * Default: certificate-key.
     */
    readonly out?: string | undefined;
  } | undefined;
  /**
   * Verifies a certificate, without a network: its signatures, the chain of its log, its digests;
   * then runs the suite again over the logged responses, and compares every request, verdict,
   * count and waiver with what the certificate says. The log of a client is played to the mock
   * again, and judged by the same rules.
   */
  readonly verify?: {
    /**
     * A public key (PEM) that must have signed. May be repeated. Without one nothing says who made
     * the certificate: it is not authenticated.
     */
    readonly publicKey?: readonly string[] | undefined;
    /** The OpenAPI document that it must have been made against. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /**
     * Certificates that a merged one cites: a file, a folder that holds one, or a folder of such
     * folders. May be repeated. Without them what they show is not checked.
     */
    readonly shard?: readonly string[] | undefined;
  } | undefined;
  /**
   * Verifies a certificate as petstore verify does and, where it holds and a --public-key shows
   * who made it, adds a signature to it. Sign what you watched, or what you have run again: your
   * signature says that the logged responses are what the target sent.
   */
  readonly countersign?: {
    /** Your private key (PEM, Ed25519). petstore keygen makes one. */
    readonly sign?: string | undefined;
    /**
     * A public key (PEM) that must have signed. May be repeated. Without one nothing says who made
     * the certificate: it is not authenticated.
     */
    readonly publicKey?: readonly string[] | undefined;
    /** The OpenAPI document that it must have been made against. Default: the bundled openapi.yaml. */
    readonly contract?: string | undefined;
    /**
     * Change the document by this OpenAPI Overlay before it is read (docs/overlay.md). May be
     * repeated.
     */
    readonly overlay?: readonly string[] | undefined;
    /**
     * Certificates that a merged one cites: a file, a folder that holds one, or a folder of such
     * folders. May be repeated. Without them what they show is not checked.
     */
    readonly shard?: readonly string[] | undefined;
  } | undefined;
}

/** The environment variable that has a secret. */
export interface SecretVariable {
  readonly env: string;
}

/** Gives back what it is given, for editors that complete by the type of an argument. */
export declare function defineConfig(config: Config): Config;
