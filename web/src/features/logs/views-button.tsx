import { Button } from '@mantine/core';
import { Bookmark } from 'lucide-react';
import { useRef, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.tsx';
import type { LogsSearch } from './search.ts';

const LogViews = lazyPart(() => import('./views.tsx'), 'LogViews');

/** Button that opens the saved views. */
export function ViewsButton({ search }: { search: LogsSearch }) {
  const [isUsed, setUsed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const opener = (
    <Button
      ref={button}
      variant="default"
      aria-haspopup="dialog"
      leftSection={<Bookmark size={14} strokeWidth={1.5} aria-hidden />}
      onClick={() => setUsed(true)}
    >
      Views
    </Button>
  );
  if (!isUsed) return opener;
  return (
    <LogViews fallback={opener} search={search} opener={opener} onClose={() => button.current?.focus()} />
  );
}
