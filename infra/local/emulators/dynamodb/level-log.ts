/** Bytes of a block of LevelDB's log, and of a record's head: checksum, length, type. */
const blockBytes = 32_768;
const headBytes = 7;

/** A record is whole, or the first, a middle or the last piece of one: types 1 to 4. */
const lastType = 4;

/** CRC-32C, reflected. */
const polynomial = 0x82f63b78;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
  return rest;
});

/**
 * Whether every record of a LevelDB log is as it was written. LevelDB itself silently drops the others when it opens a
 * database. A record that the end of the file cuts off counts as whole: a process that was killed leaves such a one,
 * and no client was answered that it was written.
 * https://github.com/google/leveldb/blob/main/doc/log_format.md
 */
export function isLogWhole(log: Buffer): boolean {
  for (let block = 0; block < log.length; block += blockBytes) {
    if (!isBlockWhole(log.subarray(block, block + blockBytes))) return false;
  }
  return true;
}

function isBlockWhole(block: Buffer): boolean {
  for (let at = 0; at + headBytes <= block.length;) {
    const length = block.readUInt16LE(at + 4);
    const type = block.readUInt8(at + 6);
    // Space that was allocated and never written.
    if (type === 0 && length === 0) return true;
    if (type === 0 || type > lastType) return false;
    const end = at + headBytes + length;
    if (end > block.length) return block.length < blockBytes;
    if (masked(crc32c(block.subarray(at + 6, end))) !== block.readUInt32LE(at)) return false;
    at = end;
  }
  return true;
}

function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** LevelDB masks its checksums, because a checksum over data that contains checksums is a weak one. */
function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
