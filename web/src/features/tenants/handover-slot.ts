import type { ReactNode } from 'react';

/** What to show once somebody is invited into a tenant, such as the link; it belongs to another noun. */
export type HandoverSlot = (tenantId: number, address: string, onDone: () => void) => ReactNode;
