/**
 * The types of what goes over the wire of the control interface. Generated from
 * mock/control/openapi.yaml by `npm run record`; not written by hand.
 */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is mocked, and where; the page of the mock to a browser */
        get: operations["describeMock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** That the mock responds, for tools that wait for it */
        get: operations["readHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happens from now on, as server-sent events
         * @description Each event has JSON as its data:
         *     `hello`: `{instance}`, first of all;
         *     `exchanges`: an array of Exchange, what was answered in the last moments, oldest first;
         *     `dropped`: `{count}`, exchanges that a slow reader misses, which the journals still have;
         *     `change`: `{sandbox, parts}`, with any of items, clock, choices, faults, stubs, quotas,
         *     snapshots, journal, sandbox in `parts`, after a call of this interface;
         *     `reload`: `{source}`, once another document is served;
         *     `run`: a Run, whenever it moves on.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All sandboxes, main first, then the least recently used */
        get: operations["listSandboxes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** A sandbox as it is, or as it will be with its first request; reading makes none */
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        /** Makes a sandbox new in all things */
        delete: operations["resetSandbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes another sandbox what this one is now */
        post: operations["forkSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/state": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** All items by collection path */
        get: operations["readState"];
        /** Puts items in the place of all that there are */
        put: operations["replaceState"];
        post?: never;
        /** Brings the seed back */
        delete: operations["resetState"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/collections": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** The collections of the document, nested ones within the items that there are */
        get: operations["listCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/items": {
        parameters: {
            query: {
                /** @description Path of a collection, as in the state. */
                collection: components["parameters"]["collection"];
            };
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** Items of a collection, in the order of its lists */
        get: operations["listItems"];
        put?: never;
        /** Adds an item, without a request to the service */
        post: operations["addItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/items/{item}": {
        parameters: {
            query: {
                /** @description Path of a collection, as in the state. */
                collection: components["parameters"]["collection"];
            };
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                /** @description `id` of the stored item. */
                item: string;
            };
            cookie?: never;
        };
        get?: never;
        /** Puts an item in the place of another */
        put: operations["replaceItem"];
        post?: never;
        /** Removes an item */
        delete: operations["removeItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** Names of the snapshots, oldest first */
        get: operations["listSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/snapshots/{snapshot}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                snapshot: components["parameters"]["snapshot"];
            };
            cookie?: never;
        };
        get?: never;
        /** Keeps items, clock, choices, limits and counts as they are under a name */
        put: operations["takeSnapshot"];
        post?: never;
        /** Forgets a snapshot */
        delete: operations["dropSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/snapshots/{snapshot}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                snapshot: components["parameters"]["snapshot"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes the sandbox, or another, what it was */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/clock": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** The time of a sandbox */
        get: operations["readClock"];
        put?: never;
        post?: never;
        /** Takes the time of the machine again */
        delete: operations["resetClock"];
        options?: never;
        head?: never;
        /** Sets the time, advances it, freezes it or lets it go on; in that order */
        patch: operations["setClock"];
        trace?: never;
    };
    "/sandboxes/{sandbox}/choices": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** The choice for every question that the document of the service leaves open */
        get: operations["readChoices"];
        put?: never;
        post?: never;
        /** Takes all choices of the mock again */
        delete: operations["resetChoices"];
        options?: never;
        head?: never;
        /** Makes other choices; null takes that of the mock again */
        patch: operations["setChoices"];
        trace?: never;
    };
    "/sandboxes/{sandbox}/faults": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** The faults, spent ones included */
        get: operations["listFaults"];
        put?: never;
        /** Adds a fault; of several that fit a request, the first that applies does so alone */
        post: operations["addFault"];
        /** Takes all faults away */
        delete: operations["clearFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/faults/{fault}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                fault: string;
            };
            cookie?: never;
        };
        get?: never;
        /** Gives a fault another rule; its place and its number of uses stay */
        put: operations["editFault"];
        post?: never;
        /** Takes a fault away */
        delete: operations["removeFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/stubs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** The stubs, in the order in which they are tried, spent ones included */
        get: operations["listStubs"];
        /** Puts stubs in the place of all that there are, the first to be tried first */
        put: operations["replaceStubs"];
        /** Adds a stub, which is tried before those that there are; what it breaks is told */
        post: operations["addStub"];
        /** Takes all stubs away, those of the file too */
        delete: operations["clearStubs"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/stubs/{stub}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                stub: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Gives a stub another rule; its place and its number of uses stay
         * @description A stub of the file gets the rule of the file back when the file changes or the sandbox is reset.
         */
        put: operations["editStub"];
        post?: never;
        /** Takes a stub away */
        delete: operations["removeStub"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** What the key of each plan may send, and has sent */
        get: operations["listQuotas"];
        put?: never;
        post?: never;
        /** Takes the limits of the mock again, and counts from nothing */
        delete: operations["resetQuotas"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/quotas/{plan}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                /** @description A plan of the document, in any case. */
                plan: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Changes limits and counts of a plan's keys, and bans them */
        patch: operations["setQuota"];
        trace?: never;
    };
    "/sandboxes/{sandbox}/journal": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** The last requests that fit, oldest first; waits for them where it is told to */
        get: operations["readJournal"];
        put?: never;
        post?: never;
        /** Forgets all requests */
        delete: operations["clearJournal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandboxes/{sandbox}/journal/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                index: number;
            };
            cookie?: never;
        };
        /** A request and its response with headers and bodies, keys left out */
        get: operations["readExchange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conformance/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a conformance run would send and take */
        post: operations["planRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conformance/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs and opened reports, the last first */
        get: operations["listRuns"];
        put?: never;
        /** Starts a conformance run against this mock or a base URL; one at a time */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conformance/runs/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        /** How a run stands */
        get: operations["readRun"];
        put?: never;
        post?: never;
        /** Stops a run, and forgets it and its report */
        delete: operations["dropRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conformance/runs/{run}/report": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        /** The report of a run as petstore conform writes it; no key is in it */
        get: operations["readReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conformance/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens a report.json that was kept, of at most 32 MiB; it stands among the runs from then on */
        post: operations["openReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conformance/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** In what two runs differ */
        get: operations["compareRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The webhooks of the document, and the callbacks of its operations */
        get: operations["listWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a webhook or a callback, and tells what its receiver responds */
        post: operations["sendWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            code: string;
            message: string;
            status: number;
        };
        Mock: {
            /** @description Another with every start. */
            instance: string;
            /** Format: date-time */
            startedAt: string;
            /** @description Base URL of the service, with the host by which this request reached it. */
            url: string;
            document: {
                title: string;
                version: string;
                summary?: string;
                /** @description File or URL that it was loaded from. */
                source: string;
            };
            links: {
                page: string;
                /** @description The document of this interface. */
                control: string;
                /** @description The document served, with this mock as its server. */
                yaml: string;
                json: string;
                health: string;
            };
            /** @description The keys of sandbox main; empty where the document wants none. */
            keys: {
                key: string;
                /** @description Empty in documents without plans. */
                plan: string;
                limits: {
                    window: string;
                    limit: number;
                }[];
            }[];
            /** @description A key with a sandbox of its own, such as free_alice. */
            ownKey?: string;
            /** @description The report whose choices the mock makes. */
            like?: string;
            operations: {
                id: string;
                method: string;
                /** @description With its templates, below the base URL. */
                path: string;
                summary: string;
                /** @description JSON pointer into the document. */
                pointer: string;
                deprecated: boolean;
                /**
                 * Format: date-time
                 * @description The time from which on it is gone.
                 */
                removedAt?: string;
                /** @description Where its key goes. In the value `{key}` stands for it, and `{basic}` for the Base64 of user and password, which may both be the key. */
                credentials: {
                    /** @enum {unknown} */
                    in: "header" | "query" | "cookie";
                    name: string;
                    value: string;
                }[];
            }[];
            questions: {
                id: string;
                question: string;
                pointer: string;
                /** @description The choice that is made unless another is asked for. */
                default: string;
                choices: {
                    id: string;
                    description: string;
                }[];
            }[];
            /** @description Runs can be started from here. */
            conformance: boolean;
            /** @description The library that shows the document in the page. */
            reference?: {
                available: boolean;
                /** @description What to install where it is missing. */
                package: string;
            };
        };
        Collection: {
            /** @description As in the state; the ids of the items that it is within are filled in. */
            path: string;
            /** @description Member that identifies an item. */
            id?: string;
            count: number;
            /** @description JSON pointer to the schema of an item. */
            pointer?: string;
            members: {
                name: string;
                /** @description Its JSON type; absent where it may have several. */
                type?: string;
                format?: string;
                required: boolean;
                readOnly: boolean;
                enum?: unknown[];
                description?: string;
            }[];
            /** @description An item that can be added as it is. */
            sample: Record<string, never>;
        };
        StoredItem: {
            /** @description What names it in this interface. */
            id: string;
            item: Record<string, never>;
        };
        HeaderField: {
            name: string;
            value: string;
        };
        Message: {
            headers: components["schemas"]["HeaderField"][];
            /** @description At most its first 4,096 bytes as UTF-8; absent for none. */
            body?: string;
            /** @description Bytes of the whole body. */
            bodyLength?: number;
        };
        ExchangeDetail: {
            exchange: components["schemas"]["Exchange"];
            request: components["schemas"]["Message"];
            response: components["schemas"]["Message"];
            /** @description JSON pointer into the document: what a refusal rests on, else the operation. */
            place?: string;
        };
        RunOrder: {
            /** @description The server to judge. Without it this mock: a copy with its document and settings, so that no item, count or journal of it is touched. */
            baseUrl?: string;
            /** @description The sandbox whose choices and limits that copy has, without its items, faults and time. Without it they are those that the mock was started with. */
            sandbox?: string;
            /** @description API key for it. It is in no response and no report. */
            key?: string;
            /** @description Rate plan of the key, in any case: its limits are then held against the headers. */
            plan?: string;
            /** @description At most so many, the drive to the rate limit of this mock not counted. By default as petstore conform. */
            requests?: number;
            /** @description 1 where it is absent. */
            seed?: number;
            /** @description Requests for fuzzing beyond `requests`. None where it is absent. */
            fuzz?: number;
            /** @description Exceeds the rate limit at the end of the run, with extra requests; always so for this mock. */
            exhaust?: boolean;
            /** @description Nobody else uses the server: items that no response explains were stored by a refused request. Always so for this mock. */
            exclusive?: boolean;
            /** @description Sends no request that may add or change items. */
            readOnly?: boolean;
            /** @description Does not verify the certificate of the server. */
            insecure?: boolean;
        };
        RunPlan: {
            requests: number;
            /** @description Requests that would test all that can be. */
            needed?: number;
            /** @description About how long, waits for the rate limit included. */
            seconds: number;
            /** @description The plan as petstore conform --plan prints it. */
            text: string;
        };
        Run: {
            id: string;
            /** @enum {unknown} */
            kind: "run" | "file";
            /**
             * @description `failed`: it has no report.
             * @enum {unknown}
             */
            state: "running" | "done" | "failed";
            /** @description `a copy of this mock`, a base URL, or the client that was judged. */
            target: string;
            /** @description Title and version of the document judged by. */
            document?: string;
            /** Format: date-time */
            startedAt: string;
            progress?: {
                sent: number;
                planned: number;
                secondsLeft?: number;
                doing?: string;
            };
            /** @enum {unknown} */
            verdict?: "conforms" | "failed" | "inconclusive";
            /** @description The verdict in a sentence, or why there is none. */
            sentence?: string;
            /** @description Requirements by verdict. */
            counts?: {
                [key: string]: number;
            };
        };
        Comparison: {
            sentence: string;
            differences: {
                /**
                 * @description `untested`: only one of them tells, which is no difference of behaviour.
                 * @enum {unknown}
                 */
                kind: "verdict" | "choice" | "untested";
                requirement: string;
                sentence: string;
                /** @description Verdict, or what the target does. */
                one: string;
                other: string;
            }[];
        };
        Into: {
            /** @description Name of the other sandbox. */
            into?: string;
        };
        Sandbox: {
            name: string;
            /** @description A key of each plan that opens it; one without a plan in documents without plans. */
            keys: {
                key: string;
                plan: string;
            }[];
            /** @description Requests since it began. */
            requests: number;
            /** Format: date-time */
            now: string;
            frozen: boolean;
            /** @description Number of items by collection path. */
            items: {
                [key: string]: number;
            };
            faults: number;
            stubs: number;
            snapshots: string[];
        };
        /** @description Items by collection path. Items without an identifier get one. */
        State: {
            [key: string]: {
                [key: string]: unknown;
            }[];
        };
        Clock: {
            /** Format: date-time */
            now: string;
            frozen: boolean;
        };
        FaultRule: components["schemas"]["FaultMembers"];
        Fault: {
            id: string;
            /** @description Requests that it was applied to. */
            applied: number;
        } & components["schemas"]["FaultMembers"];
        FaultMembers: {
            /** @description Id of the operation; every request without it. */
            operation?: string;
            /** @description Requests to apply; without end where it is absent. */
            count?: number;
            /** @description Share of the requests that it applies. 1 where it is absent. */
            probability?: number;
            /** @description The same seed applies the same requests of a series. 1 where it is absent. */
            seed?: number;
            /** @description Answered in the error shape, in place of what the operation does. */
            status?: number;
            /** @description Seconds in the Retry-After that goes with the status. */
            retryAfter?: number;
            /** @description Milliseconds before the response, drawn from this range. */
            delay?: {
                from: number;
                to: number;
            };
            /**
             * @description The operation does its work; then the connection is reset before or after the headers of the response, or stays open without one. A browser that has used the connection before sends a request again by itself after a `reset`, a POST too: a fault of one request is then not seen by the page, and the work is done twice. After `reset-after-headers` nobody sends again, and the body cannot be read; a response without a body is whole.
             * @enum {unknown}
             */
            connection?: "reset" | "reset-after-headers" | "silence";
            /**
             * @description The connection is reset in the middle of the body, or the body is no JSON.
             * @enum {unknown}
             */
            body?: "truncated" | "malformed";
            /** @description The body in pieces, with a pause before each. */
            drip?: {
                bytes: number;
                milliseconds: number;
            };
        };
        StubRule: components["schemas"]["StubMembers"];
        Stub: {
            id: string;
            /**
             * @description `file`: it came with the file of --stubs, and comes back when the sandbox is reset.
             * @enum {unknown}
             */
            origin: "control" | "file";
            /** @description Requests that it has answered. */
            applied: number;
            /** @description What of the contract it breaks, and what of it is for no request of the document. */
            warnings: {
                message: string;
                /** @description JSON pointer into the document. */
                pointer?: string;
            }[];
        } & components["schemas"]["StubMembers"];
        /** @description A response, or several in turn, for the requests that fit. */
        StubMembers: {
            /** @description For people. */
            name?: string;
            request?: components["schemas"]["StubRequest"];
            response?: components["schemas"]["StubResponse"];
            /** @description In place of response: one for each request in turn, the last for all further ones. */
            responses?: components["schemas"]["StubResponse"][];
            /** @description Requests that it answers; then the next stub that fits does, or the mock. */
            times?: number;
            /** @description Stubs of a higher one are tried first; of equals the last added. 0 where it is absent. */
            priority?: number;
            /** @description A state that stubs of a sandbox share. It begins as `start`. */
            scenario?: {
                name: string;
                /** @description The state in which the stub answers; any without it. */
                from?: string;
                /** @description The state once it has answered. */
                to?: string;
            };
        };
        /** @description All that is said has to hold. Every request where nothing is. */
        StubRequest: {
            /** @description Id of the operation. */
            operation?: string;
            /** @description GET is for HEAD too. */
            method?: string;
            /** @description Below the base URL; `{name}` stands for any text within a segment. */
            path?: string;
            /** @description Query parameters by name. */
            query?: {
                [key: string]: components["schemas"]["TextCondition"];
            };
            /** @description Header fields by name, in any case. */
            headers?: {
                [key: string]: components["schemas"]["TextCondition"];
            };
            body?: {
                /** @description The body is this JSON; members may be in any order. */
                equals?: unknown;
                /** @description The body has at least these members, at any depth. Lists have as many entries, in this order. */
                contains?: unknown;
                /** @description Values by JSON pointers into the body, such as /name. */
                members?: {
                    [key: string]: unknown;
                };
                /** @description The body is this text. */
                text?: string;
                /** @description This text stands in the body. */
                textContains?: string;
            };
        };
        /** @description A text: one of the values is this. A list: the values are these. Else whether it is there, or what stands in it. */
        TextCondition: (string | number | boolean) | string[] | {
            present?: boolean;
            contains?: string;
        };
        /**
         * @description At most one of body, text, base64 and example. Without any the body is that of the document: an example, else
         *     a sample; of an error, one in its shape.
         */
        StubResponse: {
            /** @description That of the example, else of success, where it is absent. */
            status?: number;
            /** @description In place of those that the mock sends; null for none by that name. */
            headers?: {
                [key: string]: (string | null) | string[];
            };
            /** @description JSON. */
            body?: unknown;
            text?: string;
            /** @description Bytes. */
            base64?: string;
            /** @description Name of an example of the document. */
            example?: string;
            /** @description Milliseconds to wait first. */
            delay?: number;
        };
        Quota: {
            plan: string;
            /** @description The key with this plan. */
            key: string;
            windows: {
                name: string;
                limit: number;
                used: number;
                /** Format: date-time */
                resetAt: string;
            }[];
            /** Format: date-time */
            bannedUntil?: string;
        };
        Webhook: {
            /** @description Its key in the document; the second of one name has `-2` after it. */
            name: string;
            /** @enum {unknown} */
            kind: "webhook" | "callback";
            method: string;
            /** @description Id of the operation that a callback belongs to. */
            operation?: string;
            /** @description The address of a callback, with runtime expressions. */
            expression?: string;
            summary?: string;
            /** @description JSON pointer into the document. */
            pointer: string;
            content: {
                mediaType: string;
                /** @description JSON pointer into the document. */
                schema?: string;
            }[];
        };
        Delivery: {
            request: {
                method: string;
                url: string;
                headers: {
                    [key: string]: string;
                };
                /** @description Absent for none. */
                body?: string;
            };
            response: {
                status: number;
                headers: {
                    [key: string]: string;
                };
                /** @description As text, at most its first 65,536 characters. */
                body: string;
                isCut: boolean;
            };
            milliseconds: number;
            /** @description What of the body does not fit the document. */
            warnings: string[];
        };
        /** @enum {unknown} */
        Check: "http" | "route" | "rate-limit" | "credential" | "accept" | "parameters" | "content" | "state" | "fault" | "preference" | "stub";
        Exchange: {
            index: number;
            /**
             * Format: date-time
             * @description By the clock of the sandbox.
             */
            at: string;
            method: string;
            /** @description Path and query, keys left out. */
            target: string;
            operation?: string;
            /**
             * @description `invalid`: a key that is unknown. `missing`: none, or none that can be read.
             * @enum {string}
             */
            credential: "valid" | "missing" | "invalid";
            /** @description The key stood in the target or the body; `[key]` is in its place. */
            keyElsewhere: boolean;
            /** @description The first 4,096 bytes of the body that was sent, as UTF-8, keys left out; absent for none, and for one that was not read. */
            body?: string;
            /** @description Bytes of the whole body; absent for one that was not read. */
            bodyLength?: number;
            status: number;
            refusal?: {
                check: components["schemas"]["Check"];
                reason: string;
                message: string;
            };
            sandbox: string;
            plan?: string;
            rate?: {
                limit: number;
                remaining: number;
                /** Format: date-time */
                resetAt: string;
            };
            /** @description `Retry-After` of the response. */
            retryAfter?: string;
            fault?: {
                id: string;
                effect: string;
                /** @description The requirement of the service that the response breaks by it. */
                breaks?: string;
            };
            /** @description The stub that answered. */
            stub?: {
                id: string;
                name?: string;
            };
            /** @description Preferences of the request that were followed. */
            preferred?: string;
            event?: string;
            /** @description Where the callbacks of the operation go by this request. */
            callbacks?: {
                name: string;
                url: string;
            }[];
            /** @description What a developer may have meant, or overlooked; absent for nothing. */
            hints?: {
                /** @enum {string} */
                kind: "path" | "query-parameter" | "credential" | "preference" | "clock" | "stub";
                /** @description For people. */
                message: string;
            }[];
            /** @description Time in the mock, delays not counted. */
            milliseconds: number;
        };
    };
    responses: {
        /** @description The sandbox. */
        Sandbox: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Sandbox"];
            };
        };
        /** @description The items. */
        State: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["State"];
            };
        };
        /** @description The stubs. */
        Stubs: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Stub"][];
            };
        };
        /** @description The time. */
        Clock: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Clock"];
            };
        };
        /** @description Question to choice. */
        Choices: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    [key: string]: string;
                };
            };
        };
        /** @description Why it cannot be done. */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No runs can be started from this mock; `conformance` of its description says so. */
        NoSuite: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
        sandbox: string;
        snapshot: string;
        /** @description Path of a collection, as in the state. */
        collection: string;
        run: string;
    };
    requestBodies: {
        Item: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        RunOrder: {
            content: {
                "application/json": components["schemas"]["RunOrder"];
            };
        };
        Into: {
            content: {
                "application/json": WithRequired<components["schemas"]["Into"], "into">;
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type Error = components['schemas']['Error'];
export type Mock = components['schemas']['Mock'];
export type Collection = components['schemas']['Collection'];
export type StoredItem = components['schemas']['StoredItem'];
export type HeaderField = components['schemas']['HeaderField'];
export type Message = components['schemas']['Message'];
export type ExchangeDetail = components['schemas']['ExchangeDetail'];
export type RunOrder = components['schemas']['RunOrder'];
export type RunPlan = components['schemas']['RunPlan'];
export type Run = components['schemas']['Run'];
export type Comparison = components['schemas']['Comparison'];
export type Into = components['schemas']['Into'];
export type Sandbox = components['schemas']['Sandbox'];
export type State = components['schemas']['State'];
export type Clock = components['schemas']['Clock'];
export type FaultRule = components['schemas']['FaultRule'];
export type Fault = components['schemas']['Fault'];
export type FaultMembers = components['schemas']['FaultMembers'];
export type StubRule = components['schemas']['StubRule'];
export type Stub = components['schemas']['Stub'];
export type StubMembers = components['schemas']['StubMembers'];
export type StubRequest = components['schemas']['StubRequest'];
export type TextCondition = components['schemas']['TextCondition'];
export type StubResponse = components['schemas']['StubResponse'];
export type Quota = components['schemas']['Quota'];
export type Webhook = components['schemas']['Webhook'];
export type Delivery = components['schemas']['Delivery'];
export type Check = components['schemas']['Check'];
export type Exchange = components['schemas']['Exchange'];
export type ResponseSandbox = components['responses']['Sandbox'];
export type ResponseState = components['responses']['State'];
export type ResponseStubs = components['responses']['Stubs'];
export type ResponseClock = components['responses']['Clock'];
export type ResponseChoices = components['responses']['Choices'];
export type ResponseError = components['responses']['Error'];
export type ResponseNoSuite = components['responses']['NoSuite'];
export type ParameterSandbox = components['parameters']['sandbox'];
export type ParameterSnapshot = components['parameters']['snapshot'];
export type ParameterCollection = components['parameters']['collection'];
export type ParameterRun = components['parameters']['run'];
export type RequestBodyItem = components['requestBodies']['Item'];
export type RequestBodyRunOrder = components['requestBodies']['RunOrder'];
export type RequestBodyInto = components['requestBodies']['Into'];
export type $defs = Record<string, never>;
export interface operations {
    describeMock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON, or HTML where `Accept` prefers it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mock"];
                    "text/html": string;
                };
            };
        };
    };
    readHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It responds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        /** @description As in the description of the mock. */
                        instance: string;
                    };
                };
            };
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, until the client or the mock closes the connection. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            413: components["responses"]["Error"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document as it is kept. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
        };
    };
    listSandboxes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandboxes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sandbox"][];
                };
            };
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Sandbox"];
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is new. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    forkSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Into"];
        responses: {
            200: components["responses"]["Sandbox"];
            400: components["responses"]["Error"];
            413: components["responses"]["Error"];
        };
    };
    readState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["State"];
        };
    };
    replaceState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["State"];
            };
        };
        responses: {
            200: components["responses"]["State"];
            400: components["responses"]["Error"];
            413: components["responses"]["Error"];
        };
    };
    resetState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is back. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listCollections: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the order of the document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"][];
                };
            };
        };
    };
    listItems: {
        parameters: {
            query: {
                /** @description Path of a collection, as in the state. */
                collection: components["parameters"]["collection"];
                /** @description Only items in whose JSON this text stands, in any case. */
                text?: string;
                offset?: number;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The items. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of items that fit. */
                        total: number;
                        items: components["schemas"]["StoredItem"][];
                    };
                };
            };
            404: components["responses"]["Error"];
        };
    };
    addItem: {
        parameters: {
            query: {
                /** @description Path of a collection, as in the state. */
                collection: components["parameters"]["collection"];
            };
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Item"];
        responses: {
            /** @description It is added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredItem"];
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["Error"];
            413: components["responses"]["Error"];
        };
    };
    replaceItem: {
        parameters: {
            query: {
                /** @description Path of a collection, as in the state. */
                collection: components["parameters"]["collection"];
            };
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                /** @description `id` of the stored item. */
                item: string;
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Item"];
        responses: {
            /** @description The item as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredItem"];
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["Error"];
            413: components["responses"]["Error"];
        };
    };
    removeItem: {
        parameters: {
            query: {
                /** @description Path of a collection, as in the state. */
                collection: components["parameters"]["collection"];
            };
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                /** @description `id` of the stored item. */
                item: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Error"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    takeSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                snapshot: components["parameters"]["snapshot"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is kept. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error"];
            413: components["responses"]["Error"];
        };
    };
    dropSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                snapshot: components["parameters"]["snapshot"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is forgotten. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Error"];
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                snapshot: components["parameters"]["snapshot"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Into"];
            };
        };
        responses: {
            200: components["responses"]["Sandbox"];
            400: components["responses"]["Error"];
            404: components["responses"]["Error"];
            413: components["responses"]["Error"];
        };
    };
    readClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Clock"];
        };
    };
    resetClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is on time. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description The time to jump to, in the years from 1970 to 9999.
                     */
                    now?: string;
                    /** @description Seconds to move on by; back where they are negative. */
                    advanceSeconds?: number;
                    /** @description True: it stands until it is moved. False: it goes on from where it stands. */
                    frozen?: boolean;
                };
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["Error"];
        };
    };
    readChoices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Choices"];
        };
    };
    resetChoices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are taken. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setChoices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: string | null;
                };
            };
        };
        responses: {
            200: components["responses"]["Choices"];
            400: components["responses"]["Error"];
        };
    };
    listFaults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The faults. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fault"][];
                };
            };
        };
    };
    addFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FaultRule"];
            };
        };
        responses: {
            /** @description It is added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fault"];
                };
            };
            400: components["responses"]["Error"];
        };
    };
    clearFaults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There are none. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    editFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                fault: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FaultRule"];
            };
        };
        responses: {
            /** @description It is changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fault"];
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["Error"];
        };
    };
    removeFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                fault: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Error"];
        };
    };
    listStubs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Stubs"];
        };
    };
    replaceStubs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StubRule"][];
            };
        };
        responses: {
            200: components["responses"]["Stubs"];
            400: components["responses"]["Error"];
            413: components["responses"]["Error"];
        };
    };
    addStub: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StubRule"];
            };
        };
        responses: {
            /** @description It is added. `warnings` tell what of the contract it breaks. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stub"];
                };
            };
            400: components["responses"]["Error"];
            413: components["responses"]["Error"];
        };
    };
    clearStubs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There are none. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    editStub: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                stub: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StubRule"];
            };
        };
        responses: {
            /** @description It is changed. `warnings` tell what of the contract it breaks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stub"];
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["Error"];
            413: components["responses"]["Error"];
        };
    };
    removeStub: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                stub: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Error"];
        };
    };
    listQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One for each plan of the document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quota"][];
                };
            };
        };
    };
    resetQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is counted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setQuota: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                /** @description A plan of the document, in any case. */
                plan: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Requests by window. */
                    limits?: {
                        [key: string]: number;
                    };
                    /** @description Requests that count as sent in the current window. */
                    used?: {
                        [key: string]: number;
                    };
                    /** @description Seconds until the current window ends, at most its length. The one after it starts as usual. */
                    resetSeconds?: {
                        [key: string]: number;
                    };
                    /** @description Length of a ban from now on; 0 ends one. */
                    banSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The quota as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quota"];
                };
            };
            400: components["responses"]["Error"];
        };
    };
    readJournal: {
        parameters: {
            query?: {
                /** @description Id of the operation. */
                operation?: string;
                method?: string;
                status?: number;
                /** @description What the path and query start with. */
                path?: string;
                /** @description The check that refused the request. */
                check?: components["schemas"]["Check"];
                /** @description The first index that counts; `next` of a response before. */
                from?: number;
                /** @description How many to wait for. */
                count?: number;
                /** @description Milliseconds to wait at most. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those that fit, as many as there are when the wait is over. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of exchanges in this response. */
                        count: number;
                        /** @description Index of the next request. */
                        next: number;
                        exchanges: components["schemas"]["Exchange"][];
                    };
                };
            };
            413: components["responses"]["Error"];
        };
    };
    clearJournal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are forgotten. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readExchange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, `no-key` for requests without a valid key where one is wanted, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                index: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exchange. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeDetail"];
                };
            };
            404: components["responses"]["Error"];
        };
    };
    planRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RunOrder"];
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPlan"];
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["NoSuite"];
        };
    };
    listRuns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those that are kept, at most the last 20. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"][];
                };
            };
            404: components["responses"]["NoSuite"];
        };
    };
    startRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RunOrder"];
        responses: {
            /** @description It has started. Its events tell how it goes on. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["NoSuite"];
            409: components["responses"]["Error"];
        };
    };
    readRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            404: components["responses"]["Error"];
        };
    };
    dropRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is forgotten. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["Error"];
        };
    };
    readReport: {
        parameters: {
            query?: {
                /** @description For links, which cannot set `Accept`; it goes before that. */
                format?: "json" | "html";
                /** @description How report.html looks; as the system asks for without it. */
                theme?: "light" | "dark";
            };
            header?: never;
            path: {
                run: components["parameters"]["run"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description report.json, or report.html where `Accept` prefers HTML. */
            200: {
                headers: {
                    /**
                     * @description What the target sent stands in the page: it has no origin, reaches nothing, and only
                     *     pages of the mock may frame it.
                     */
                    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "text/html": string;
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["Error"];
        };
    };
    openReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description It is opened. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["NoSuite"];
        };
    };
    compareRuns: {
        parameters: {
            query: {
                /** @description Id of a run. */
                one: string;
                other: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was seen to differ, then what only one of them tells. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["Error"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the order of the document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
        };
    };
    sendWebhook: {
        parameters: {
            query?: {
                /** @description Whose journal is looked at for the address of a callback. */
                sandbox?: string;
            };
            header?: never;
            path: {
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The receiver, by http or https. Without it a callback goes where the last request to its operation in the journal of the sandbox says. */
                    url?: string;
                    /** @description What is sent; a text is sent as it is where the webhook is not JSON. Without it an example of the document, else a sample of its schema. */
                    body?: unknown;
                };
            };
        };
        responses: {
            /** @description The receiver has responded, with whatever status. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["Error"];
            404: components["responses"]["Error"];
            413: components["responses"]["Error"];
            /** @description Nobody responded at the URL within 10 seconds. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
