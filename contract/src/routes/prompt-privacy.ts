/**
 * What is kept of prompts and answers: all, all but secrets and personal data, or figures alone. It holds for requests
 * that come in after the change.
 */
export const promptPrivacyModes = ['full', 'redacted', 'metadata'] as const;
export type PromptPrivacy = (typeof promptPrivacyModes)[number];
