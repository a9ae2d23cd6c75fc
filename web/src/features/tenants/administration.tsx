import { Button } from '@mantine/core';
import type { Tenant } from '@sluice/contract';
import type { ReactNode } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { lazyFile, lazyPart } from '../../lib/lazy-part.tsx';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { useTenantActions } from './actions.ts';
import type { HandoverSlot } from './handover-slot.ts';

interface TenantAdministrationProps {
  handover: HandoverSlot;
  /** The list of tenants, which belongs to another noun, with what can be done to it and to each of them. */
  children: (parts: { createButton: ReactNode; rowActions: readonly RowAction<Tenant>[] }) => ReactNode;
}

/** What a super administrator does to tenants, around whatever list shows them. */
export function TenantAdministration({ handover, children }: TenantAdministrationProps) {
  const { dialogs, rowActions } = useTenantActions();
  const isAnythingOpened = useEverTrue(dialogs.isOpen);
  usePreload(loadOverlays);
  return (
    <>
      {children({
        createButton: <Button onClick={() => dialogs.open('create')}>Create tenant</Button>,
        rowActions,
      })}
      {isAnythingOpened && <TenantOverlays dialogs={dialogs} handover={handover} />}
    </>
  );
}

/** Apart from the list, which is to be there first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const TenantOverlays = lazyPart(loadOverlays, 'TenantOverlays');
