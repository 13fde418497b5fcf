/** An address without the user and password in it, which are for no output; other texts as they are. */
export function withoutUser(address: string): string {
  return address.replace(/\/\/[^/?#\s]*@/, '//');
}
