/**
 * A call's id as Anthropic accepts it. The same foreign id always gives the same one, so that call and result still
 * match on another node and in a later turn; two different ids never give the same.
 */
export function encodeToolId(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : `toolu_${Buffer.from(id).toString('base64url')}`;
}
