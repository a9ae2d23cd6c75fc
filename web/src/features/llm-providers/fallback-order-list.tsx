import type { LlmProvider } from '@sluice/contract';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Badge } from '../../components/ui/badge.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { NameLine, SecondLine } from '../../components/ui/lines.tsx';
import { ProviderName } from '../../components/ui/provider-name.tsx';
import { moveTo } from './fallback-order.ts';
import styles from './fallback-order-list.module.css';

interface FallbackOrderListProps {
  order: readonly LlmProvider[];
  onMove: (order: LlmProvider[]) => void;
}

/** Reordered by buttons, by Alt with arrow keys, and by dragging. Each move is announced to screen readers. */
export function FallbackOrderList({ order, onMove }: FallbackOrderListProps) {
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
