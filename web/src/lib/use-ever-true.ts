import { useState } from 'react';

/** Whether it ever was so. */
export function useEverTrue(isSo: boolean): boolean {
  const [wasSo, setWasSo] = useState(isSo);
  if (isSo && !wasSo) setWasSo(true);
  return wasSo;
}
