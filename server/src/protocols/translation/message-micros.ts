/** Estimated microseconds that one pass over a conversation takes per message. */
export const microsPerMessage = 1.5;
