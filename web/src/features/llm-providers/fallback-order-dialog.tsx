import { Button } from '@mantine/core';
import type { LlmProvider } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Dialog, DialogFooter } from '#components/ui/dialog.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { ProviderName } from '#components/ui/provider-name.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import styles from './fallback-order-list.module.css';
import { llmProvidersQuery, useSetFallbackOrder } from './queries.ts';

/** The gateway calls default instances first, then by position, then by age. */
export function sortByFallbackOrder(providers: readonly LlmProvider[]): LlmProvider[] {
  return providers.toSorted(
    (left, right) =>
      Number(right.is_default) - Number(left.is_default) ||
      placeOf(left) - placeOf(right) ||
      left.created_at.localeCompare(right.created_at) ||
      left.id - right.id,
  );
}

/** Instances without a position come last and compare equal. */
const placeOf = ({ fallback_position }: LlmProvider) => fallback_position ?? Number.MAX_SAFE_INTEGER;

/** Returns `null` if the move would place another instance before a default instance. */
export function moveTo(order: readonly LlmProvider[], from: number, to: number): LlmProvider[] | null {
  const moved = order[from];
  const replaced = order[to];
  if (!moved || !replaced || from === to || moved.is_default !== replaced.is_default) return null;
  return order.toSpliced(from, 1).toSpliced(to, 0, moved);
}

interface FallbackOrderDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function FallbackOrderDialog({ isOpen, onClose }: FallbackOrderDialogProps) {
  const { data: providers } = useQuery(llmProvidersQuery);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Fallback order">
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
        If several providers serve a model, they are tried in this order until one responds. A provider in
        maintenance or cooldown is skipped. A default provider is always tried first.
      </p>
      <FallbackOrderList order={order} onMove={setOrder} />
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button aria-disabled={isPending} onClick={() => !isPending && save()}>
          {isPending ? 'Saving...' : 'Save order'}
        </Button>
      </DialogFooter>
    </>
  );
}

interface FallbackOrderListProps {
  order: readonly LlmProvider[];
  onMove: (order: LlmProvider[]) => void;
}

/** Users reorder with buttons, with Alt and the arrow keys, or by dragging. Screen readers announce each move. */
function FallbackOrderList({ order, onMove }: FallbackOrderListProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [told, setTold] = useState('');
  const move = (from: number, to: number) => {
    const next = moveTo(order, from, to);
    if (!next) return false;
    onMove(next);
    setTold(`${order[from]?.provider_instance_name} is now number ${to + 1} of ${order.length}`);
    return true;
  };
  return (
    <>
      <ol className={styles.list} aria-label="Fallback order">
        {order.map((provider, index) => (
          <li
            key={provider.id}
            className={styles.item}
            data-dragged={dragged === index || undefined}
            draggable
            onKeyDown={(event) => moveByKey(event, (step) => move(index, index + step))}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              setDragged(index);
            }}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              if (move(dragged, index)) setDragged(index);
            }}
            onDrop={(event) => event.preventDefault()}
          >
            <GripVertical size={16} strokeWidth={1.5} className={styles.grip} aria-hidden />
            <span className={`num ${styles.place}`}>{index + 1}</span>
            <Named provider={provider} />
            <MoveButtons
              name={provider.provider_instance_name}
              canMove={(step) => moveTo(order, index, index + step) !== null}
              onMove={(step) => move(index, index + step)}
            />
          </li>
        ))}
      </ol>
      <p role="status" aria-live="polite" className={styles.told}>
        {told}
      </p>
    </>
  );
}

function moveByKey(event: KeyboardEvent, move: (step: -1 | 1) => void): void {
  if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
  event.preventDefault();
  move(event.key === 'ArrowUp' ? -1 : 1);
}

function Named({ provider }: { provider: LlmProvider }) {
  return (
    <div className={styles.named}>
      <NameLine>{provider.provider_instance_name}</NameLine>
      <SecondLine>
        <ProviderName providerKey={provider.provider_key} />
      </SecondLine>
      {provider.is_default && <Badge>Default</Badge>}
      {!provider.is_active && <Badge>Inactive</Badge>}
    </div>
  );
}

interface MoveButtonsProps {
  name: string;
  canMove: (step: -1 | 1) => boolean;
  onMove: (step: -1 | 1) => void;
}

function MoveButtons({ name, canMove, onMove }: MoveButtonsProps) {
  return (
    <span className={styles.moves}>
      <IconButton
        label={`Move ${name} up`}
        icon={ArrowUp}
        aria-disabled={!canMove(-1)}
        onClick={() => onMove(-1)}
      />
      <IconButton
        label={`Move ${name} down`}
        icon={ArrowDown}
        aria-disabled={!canMove(1)}
        onClick={() => onMove(1)}
      />
    </span>
  );
}
