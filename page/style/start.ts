/** The style of the section Start. */
export const startStyle = `
`;
