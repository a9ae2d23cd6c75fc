import { Button } from '@mantine/core';
import type { LlmProvider } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, DialogFooter } from '../../components/ui/dialog.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { sortByFallbackOrder } from './fallback-order.ts';
import { FallbackOrderList } from './fallback-order-list.tsx';
import { llmProvidersQuery, useSetFallbackOrder } from './queries.ts';

interface FallbackOrderDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function FallbackOrderDialog({ isOpen, onClose }: FallbackOrderDialogProps) {
  const { data: providers } = useQuery(llmProvidersQuery);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Fallback Order">
      {providers && <FallbackOrderForm providers={providers} onClose={onClose} />}
    </Dialog>
  );
}

interface FallbackOrderFormProps {
  providers: readonly LlmProvider[];
  onClose: () => void;
}

function FallbackOrderForm({ providers, onClose }: FallbackOrderFormProps) {
  const [order, setOrder] = useState(() => sortByFallbackOrder(providers));
  const { mutate, isPending } = useSetFallbackOrder();
  const save = () =>
    mutate(
      order.map(({ id }) => id),
      {
        onSuccess: () => {
          showSuccess('The fallback order was saved');
          onClose();
        },
        onError: (error) => showError(messageOf(error, 'Failed to save the fallback order')),
      },
    );
  return (
    <>
      <p>
        Where several providers serve a model, they are asked in this order until one begins to answer. One
        that is in maintenance or in cooldown is passed over; a default always goes first.
      </p>
      <FallbackOrderList order={order} onMove={setOrder} />
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button aria-disabled={isPending} onClick={() => !isPending && save()}>
          {isPending ? 'Saving...' : 'Save Order'}
        </Button>
      </DialogFooter>
    </>
  );
}
