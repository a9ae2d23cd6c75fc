import { Button } from '@mantine/core';
import { RefreshIcon } from './action-icons.ts';

interface RefreshButtonProps {
  isBusy?: boolean;
  onRefresh: () => void;
}

export function RefreshButton({ isBusy, onRefresh }: RefreshButtonProps) {
  return (
    <Button
      variant="default"
      leftSection={<RefreshIcon size={14} strokeWidth={1.5} aria-hidden />}
      aria-busy={isBusy}
      onClick={onRefresh}
    >
      Refresh
    </Button>
  );
}
