/**
 * Appends as much of a piece as fits into `lengthMax` characters. A part of a long piece is copied, since a slice
 * would keep the whole piece in memory.
 */
export function appendText(text: string, piece: string, lengthMax: number): string {
  const room = lengthMax - text.length;
  if (room <= 0) return text;
  if (piece.length <= room) return text + piece;
  return text + Buffer.from(piece.slice(0, room), 'utf16le').toString('utf16le');
}
