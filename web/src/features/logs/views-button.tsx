import { Button } from '@mantine/core';
import { Bookmark } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { loadPart } from '../../lib/load-part.ts';
import type { LogsSearch } from './search.ts';

const LogViews = lazy(loadPart(() => import('./views.tsx').then((file) => ({ default: file.LogViews }))));

/** Leads to the views that this browser keeps. */
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
    <Suspense fallback={opener}>
      <LogViews search={search} opener={opener} onClose={() => button.current?.focus()} />
    </Suspense>
  );
}
