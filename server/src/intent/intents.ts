/** Intents of a prompt; `other` is work that fits none of the first four (business mail, translation). */
export const intents = ['coding', 'testing', 'documentation', 'research', 'off_topic', 'other'] as const;
export type Intent = (typeof intents)[number];
