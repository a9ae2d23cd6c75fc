import type { Dialect } from '#protocols/canonical/request.ts';
import type { SpokenProtocolId } from '#protocols/registry.ts';

/** A vendor as a value: where it lives, which protocol it speaks, how a call is signed. */
export interface Provider {
  readonly displayName: string;
  /** Name of the icon in the console. */
  readonly icon: string;
  /** Root of its API, used when an instance names none; `null` when each instance must name its own. */
  readonly defaultEndpoint: string | null;
  readonly chat: ChatService;
  /** Whether an instance can work without a key, as self-hosted servers do. */
  readonly isKeyOptional: boolean;
  /** Served by this very installation, at an origin that is held in code and that no row can name. */
  readonly isBuiltIn?: boolean;
  /** Headers that sign a call. */
  authorize(apiKey: string): Record<string, string>;
}

/** How a vendor serves chat completions. */
export interface ChatService {
  readonly protocol: SpokenProtocolId;
  /** Where, below the endpoint. */
  readonly path: (model: string, isStream: boolean) => string;
  /** Which models are reasoning models of OpenAI, which take other names for some fields; absent, none are. */
  readonly isReasoningModel?: (model: string) => boolean;
  readonly dialect?: Dialect;
}

export const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });
