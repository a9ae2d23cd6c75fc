import type { StreamState, StreamTap } from '../canonical/response.ts';
import { readText } from './response.ts';
import { readUsage } from './usage.ts';
import type { WireChunk, WireDelta } from './wire.ts';

type Writable<State> = { -readonly [Key in keyof State]: State[Key] };

/** As much of a streamed answer as a log row keeps. */
const textCharactersMax = 64 * 1024;

/** Follows a chat completion stream: text, usage, and whether it came to a proper end (protocol notes G4, G5, U8). */
export function createStreamTap({ wantsUsage }: { wantsUsage: boolean }): StreamTap {
  const seen = new Set<number>();
  const finished = new Set<number>();
  const state: Writable<StreamState> = {
    text: '',
    outputPieces: 0,
    usage: null,
    isFinished: false,
    isClosed: false,
    error: null,
  };

  const readChoices = (choices: NonNullable<WireChunk['choices']>) => {
    for (const choice of choices) {
      if (!choice) continue;
      const { index = 0, delta, finish_reason } = choice;
      seen.add(index);
      if (finish_reason) finished.add(index);
      if (!delta) continue;
      const text = readText(delta.content) ?? '';
      if (text !== '' && state.text.length < textCharactersMax) state.text += text;
      if (hasOutput(delta)) state.outputPieces++;
    }
    state.isFinished = seen.size > 0 && finished.size === seen.size;
  };

  return {
    state,
    accept(data) {
      if (data === '[DONE]') {
        state.isClosed = true;
        return true;
      }
      const chunk = parseChunk(data);
      if (!chunk) {
        state.error ??= 'The provider sent a stream event that is not JSON.';
        return false;
      }
      if (chunk.error) state.error ??= describeError(chunk.error);
      if (Array.isArray(chunk.choices)) readChoices(chunk.choices);
      const usage = chunk.usage ? readUsage(chunk.usage) : null;
      if (usage) state.usage = usage;
      const isUsageOnly = chunk.usage != null && (chunk.choices ?? []).length === 0;
      return wantsUsage || !isUsageOnly;
    },
  };
}

function hasOutput({ content, tool_calls, reasoning_content, reasoning }: WireDelta): boolean {
  const hasContent = typeof content === 'string' ? content !== '' : Boolean(content);
  return hasContent || Boolean(tool_calls || reasoning_content || reasoning);
}

function parseChunk(data: string): WireChunk | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

function describeError(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : null;
  return typeof message === 'string' ? message : 'The provider reported an error inside the stream.';
}
