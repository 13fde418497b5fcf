/** The style of the section Requests. */
export const requestsStyle = `
`;
