import { anthropicMessages } from './anthropic-messages/index.ts';
import type { ProtocolId } from './canonical/content.ts';
import { cohere } from './cohere/index.ts';
import { gemini } from './gemini/index.ts';
import { ollama } from './ollama/index.ts';
import { openaiChat } from './openai-chat/index.ts';
import { openaiResponses } from './openai-responses/index.ts';
import type { Protocol } from './protocol.ts';

/** The protocols this version speaks. A new one is a folder and a line here. */
export const protocols = {
  'anthropic-messages': anthropicMessages,
  cohere,
  gemini,
  ollama,
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
} satisfies Record<ProtocolId, Protocol>;
