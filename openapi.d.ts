/**
 * The types of what goes over the wire: `paths` and `operations` for typed clients such as openapi-fetch, and each
 * schema of the document by its name. Generated from openapi.yaml by `npm run record`; not written by hand.
 * An int64 is a `number` here, since that is what `JSON.parse` makes of it: beyond 2^53 it is rounded by the client.
 */
export interface paths {
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all pets
         * @description Returns the pets of the inventory, at most `limit` of them. `status` selects the pets with that status. The list is paginated; `limit` is the only paging control that is given.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Add a pet
         * @description Adds a pet to the inventory. The service assigns its `id`.
         */
        post: operations["createPet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pet
         * @deprecated
         * @description Returns one pet. Deprecated: to be removed on 5 December 2030. `GET /pets` with a `status`
         *     filter replaces it.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
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
        /**
         * @description Availability of the pet.
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /**
         * @description The request body for adding a pet.
         * @example {
         *       "name": "Rex",
         *       "categoryId": 1
         *     }
         */
        NewPet: {
            /** @description The name of the pet. */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category the pet belongs to.
             */
            categoryId: number;
            status?: components["schemas"]["PetStatus"];
        };
        /**
         * @description A pet in the inventory. It has every field of NewPet, and `id`.
         * @example {
         *       "id": 1,
         *       "name": "Rex",
         *       "categoryId": 1,
         *       "status": "available"
         *     }
         */
        Pet: components["schemas"]["NewPet"] & {
            /**
             * Format: int64
             * @description Assigned by the service on creation.
             */
            id: number;
        };
        /** @description The pets in one response. */
        Pets: components["schemas"]["Pet"][];
        /**
         * @description The body of an error response.
         * @example {
         *       "code": "not_found",
         *       "message": "No pet has the identifier 404.",
         *       "status": 404
         *     }
         */
        Error: {
            /** @description Machine-readable error code. */
            code: string;
            /** @description Human-readable description. */
            message: string;
            /** @description The HTTP status code. It always equals the status of the response. */
            status: number;
        };
    };
    responses: {
        /** @description The body is missing, lacks a required field, or contains an invalid value. */
        BadRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    status?: 400;
                };
            };
        };
        /** @description The API key is missing or invalid. */
        Unauthorized: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description No pet has that identifier. */
        NotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @constant */
                    status?: 404;
                };
            };
        };
        /**
         * @description The rate limit is exceeded. The client waits as long as `Retry-After` says before it tries again. It is
         *     expected to back off exponentially. The body is an open question; see `rate-limit-body` in `x-unspecified`.
         *     It is usually an Error whose `status` is 429, but it may be empty or another text.
         */
        TooManyRequests: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": unknown;
                "*/*": unknown;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The limit that applies to the caller.
         * @example 60
         */
        RateLimitLimit: number;
        /**
         * @description Requests remaining in the current window.
         * @example 59
         */
        RateLimitRemaining: number;
        /**
         * @description Unix timestamp, in seconds, at which the limit resets. It may have a fraction.
         * @example 1767614460
         */
        RateLimitReset: number;
        /**
         * @description When the client may try again. The format is an open question; see `retry-after-format` in `x-unspecified`.
         * @example 30
         */
        RetryAfter: string;
    };
    pathItems: never;
}
export type PetStatus = components['schemas']['PetStatus'];
export type NewPet = components['schemas']['NewPet'];
export type Pet = components['schemas']['Pet'];
export type Pets = components['schemas']['Pets'];
export type Error = components['schemas']['Error'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type HeaderRateLimitLimit = components['headers']['RateLimitLimit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimitRemaining'];
export type HeaderRateLimitReset = components['headers']['RateLimitReset'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type $defs = Record<string, never>;
export interface operations {
    listPets: {
        parameters: {
            query?: {
                /** @description The maximum number of pets to return. */
                limit?: number;
                /** @description Returns only pets with this status. */
                status?: components["schemas"]["PetStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pets. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pets"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    createPet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description The pet was added. The body contains the assigned `id`. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The identifier of the pet. */
                petId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pet. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pet"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
        };
    };
}
