import type { PromptPrivacy } from '@sluice/contract';
import { redactText } from './redact-text.ts';

/** Modes in which texts are stored in some form. */
export type KeptTexts = Exclude<PromptPrivacy, 'metadata'>;

/** Returns what a tenant's mode allows to store of a text; `null` if nothing. */
export function limitText(text: string, promptPrivacy: KeptTexts): string;
export function limitText(text: string, promptPrivacy: PromptPrivacy): string | null;
export function limitText(text: string, promptPrivacy: PromptPrivacy): string | null {
  if (promptPrivacy === 'metadata') return null;
  return promptPrivacy === 'redacted' ? redactText(text) : text;
}
