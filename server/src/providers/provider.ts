import type { EndpointForm } from '#domain/provider-endpoint.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { Dialect } from '#protocols/canonical/request.ts';
import type { Discovery } from './discovery.ts';

/** A vendor as a value: where it lives, which protocols it speaks, how a call is signed. */
export interface Provider {
  readonly displayName: string;
  /** Name of the icon in the console. */
  readonly icon: string;
  /** Root of its API, used when an instance names none; `null` when each instance must name its own. */
  readonly defaultEndpoint: string | null;
  /** What the form suggests where `defaultEndpoint` is `null`. */
  readonly endpointExample?: string;
  /** Which form the endpoints of its instances have. */
  readonly endpointForm: EndpointForm;
  /** What the forms suggest: some of its models, and the one to begin with. */
  readonly models: readonly string[];
  readonly defaultModel: string;
  /** How it serves completions to callers of any protocol. */
  readonly chat: ChatService;
  /** The further protocols in which it serves completions, for callers who speak them. */
  readonly alsoSpeaks?: readonly ChatService[];
  readonly embeddings?: Service;
  readonly discovery: Discovery;
  /** Whether an instance can work without a key, as self-hosted servers do. */
  readonly isKeyOptional: boolean;
  /** Served by this very installation, at an origin that is held in code and that no row can name. */
  readonly isBuiltIn?: boolean;
  /** What its models are told beside each request, and count as its input; absent, nothing. */
  readonly addedTokens?: AddedTokens;
  /** Headers that sign a call. */
  authorize(apiKey: string): Record<string, string>;
}

/** The most that recorded answers counted beyond what had been sent, in tokens. */
export interface AddedTokens {
  readonly always?: number;
  /** With tools, on top of that. */
  readonly withTools?: number;
}

/** How a vendor serves one operation. */
export interface Service {
  readonly protocol: ProtocolId;
  /** Where, below an endpoint's root; `null` where endpoints of that form do not serve it. */
  readonly path: (model: string, isStream: boolean, root: string) => string | null;
}

/** How a vendor serves completions. */
export interface ChatService extends Service {
  /** Which models are reasoning models of OpenAI, which take other names for some fields; absent, none are. */
  readonly isReasoningModel?: (model: string) => boolean;
  readonly dialect?: Dialect;
  /** Where the tokens of a request of this protocol are counted, for nothing. */
  readonly tokenCountPath?: (model: string) => string;
  /** Headers of a caller of the same protocol that mean something to this vendor. */
  readonly callerHeaders?: readonly string[];
}

export const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });
