import type { PromptPrivacy } from '@sluice/contract';
import { redactText } from './redact-text.ts';

/** The modes by which something of a text is kept. */
export type KeptTexts = Exclude<PromptPrivacy, 'metadata'>;

/** What may be kept of a text by a tenant's mode; `null` is nothing. */
export function limitText(text: string, promptPrivacy: KeptTexts): string;
export function limitText(text: string, promptPrivacy: PromptPrivacy): string | null;
export function limitText(text: string, promptPrivacy: PromptPrivacy): string | null {
  if (promptPrivacy === 'metadata') return null;
  return promptPrivacy === 'redacted' ? redactText(text) : text;
}
