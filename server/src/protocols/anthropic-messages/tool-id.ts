/**
 * Returns a call ID that Anthropic accepts. The mapping is deterministic, so that call and result match on other nodes
 * and in later turns, and distinct IDs stay distinct.
 */
export function encodeToolId(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : `toolu_${Buffer.from(id).toString('base64url')}`;
}
