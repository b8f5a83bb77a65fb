// The composer's table of media types by file name: each part of a message states its own.
export const detectMimeType = (): string => 'application/octet-stream';
export const detectExtension = (): string => 'bin';
