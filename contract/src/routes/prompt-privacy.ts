/**
 * Stored part of prompts and responses: everything, everything except secrets and personal data, or only figures. A
 * change applies to later requests.
 */
export const promptPrivacyModes = ['full', 'redacted', 'metadata'] as const;
export type PromptPrivacy = (typeof promptPrivacyModes)[number];
