import { OutboxScreen } from '#features/outbox/screen.tsx';

export function OutboxPage() {
  return <OutboxScreen />;
}
