/** A vendor as a value: where it lives, which protocol it speaks, how a call is signed. */
export interface Provider {
  readonly displayName: string;
  /** Name of the icon in the console. */
  readonly icon: string;
  /** Root of its API, used when an instance names none; `null` when each instance must name its own. */
  readonly defaultEndpoint: string | null;
  /** The wire protocol of chat completions, and its path below the endpoint. */
  readonly chat: { readonly protocol: 'openai-chat'; readonly path: string };
  /** Whether an instance can work without a key, as self-hosted servers do. */
  readonly isKeyOptional: boolean;
  /** Headers that sign a call. */
  authorize(apiKey: string): Record<string, string>;
}

export const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });
