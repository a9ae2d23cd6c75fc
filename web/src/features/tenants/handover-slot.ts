import type { ReactNode } from 'react';

/** Renders the created invitation, such as its link; passed in because it belongs to another feature. */
export type HandoverSlot = (tenantId: number, address: string, onDone: () => void) => ReactNode;
