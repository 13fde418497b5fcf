/* oxlint-disable max-lines */
/**
 * The types of what goes over the wire of the control interface. Generated from
 * mock/control/openapi.yaml by `npm run types`; not written by hand.
 */
export interface paths {
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        /** A sandbox, a new one if there was none */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
    "/sandboxes/{sandbox}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
                fault: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Takes a fault away */
        delete: operations["removeFault"];
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
        Into: {
            /** @description Name of the other sandbox. */
            into?: string;
        };
        Sandbox: {
            name: string;
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
             * @description The operation does its work; then the connection is reset, or stays open without a response.
             * @enum {unknown}
             */
            connection?: "reset" | "silence";
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
        Check: "http" | "route" | "rate-limit" | "credential" | "accept" | "parameters" | "content" | "state" | "fault" | "preference";
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
                kind: "path" | "query-parameter" | "credential" | "preference" | "clock";
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
    };
    parameters: {
        /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
        sandbox: string;
        snapshot: string;
    };
    requestBodies: {
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
export type Into = components['schemas']['Into'];
export type Sandbox = components['schemas']['Sandbox'];
export type State = components['schemas']['State'];
export type Clock = components['schemas']['Clock'];
export type FaultRule = components['schemas']['FaultRule'];
export type Fault = components['schemas']['Fault'];
export type FaultMembers = components['schemas']['FaultMembers'];
export type Quota = components['schemas']['Quota'];
export type Webhook = components['schemas']['Webhook'];
export type Delivery = components['schemas']['Delivery'];
export type Check = components['schemas']['Check'];
export type Exchange = components['schemas']['Exchange'];
export type ResponseSandbox = components['responses']['Sandbox'];
export type ResponseState = components['responses']['State'];
export type ResponseClock = components['responses']['Clock'];
export type ResponseChoices = components['responses']['Choices'];
export type ResponseError = components['responses']['Error'];
export type ParameterSandbox = components['parameters']['sandbox'];
export type ParameterSnapshot = components['parameters']['snapshot'];
export type RequestBodyInto = components['requestBodies']['Into'];
export type $defs = Record<string, never>;
export interface operations {
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
                sandbox: components["parameters"]["sandbox"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Into"];
        responses: {
            200: components["responses"]["Sandbox"];
            400: components["responses"]["Error"];
        };
    };
    readState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
        };
    };
    resetState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
    listSnapshots: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
        };
    };
    dropSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
        };
    };
    readClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
    removeFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
    listQuotas: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
        };
    };
    clearJournal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description `main` for the fixture keys, else what stands after the underscore of a key: `alice` of `free_alice`. */
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
