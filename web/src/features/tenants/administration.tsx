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
  /** Renders the list of tenants, which belongs to another feature, with these actions. */
  children: (parts: { createButton: ReactNode; rowActions: readonly RowAction<Tenant>[] }) => ReactNode;
}

/** Tenant actions of super administrators, around a list of tenants. */
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

/** Loaded separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const TenantOverlays = lazyPart(loadOverlays, 'TenantOverlays');
