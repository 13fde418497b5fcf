/** How a mock differs from the server whose choices it copies. */
export interface Unlike {
  readonly variants: readonly string[];
  /** Open questions, or requirements, that a comparison reports. */
  readonly differs: readonly string[];
  readonly reason: string;
}

/** Every valid variant that such a mock cannot copy, as far as the suite can see. */
export const unlikeVariants: readonly Unlike[] = [
  {
    variants: ['name-at-most-50', 'name-ascii', 'name-without-edge-spaces', 'name-letters-only'],
    differs: ['name-limits'],
    reason: 'The document lists four limits on names; these are others.',
  },
  {
    variants: ['status-default-varies'],
    differs: ['status-default'],
    reason:
      'The document has one status for all pets that were added without one, not several in turn.',
  },
  {
    variants: ['paging-cursor'],
    differs: ['paging'],
    reason: 'The document lists a Link and query parameters, and no other header that leads on.',
  },
  {
    variants: ['query-refused-422'],
    differs: ['invalid-limit', 'unknown-status'],
    reason: 'The document refuses with 400.',
  },
  {
    variants: ['counting-refused-too'],
    differs: ['window-kind'],
    reason: 'One of its Resets is a second later than its window ends, which no listed kind has.',
  },
  {
    variants: ['query-refused-as-empty'],
    differs: ['invalid-limit'],
    reason: 'The document lists the empty list for an unknown status, not for an invalid limit.',
  },
  {
    variants: ['path-wrong-pet-id-422'],
    differs: ['invalid-pet-id'],
    reason: 'The document refuses with 400 or 404.',
  },
  {
    variants: ['retry-body-html', 'retry-body-other-json'],
    differs: ['rate-limit-body'],
    reason: 'The document lists an Error, nothing, and plain text.',
  },
  {
    variants: ['retry-unix-time'],
    differs: ['retry-after-format'],
    reason: 'The document lists whole seconds and dates.',
  },
  {
    variants: ['order-by-digits'],
    differs: ['list-order'],
    reason: 'The document lists the orders by id and by name, and none that holds.',
  },
  {
    variants: ['member-short-in-list'],
    differs: ['listPets: status'],
    reason: 'The document leaves open whether lists show a status; no question asks it.',
  },
  {
    variants: ['counting-not-404'],
    differs: ['counted-requests'],
    reason: 'The document counts all refused requests or none.',
  },
];
