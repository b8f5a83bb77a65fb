/** The result of something that is asked for; `null` where it fails with an error of such a name, by default for want of what is asked for. */
export async function orNull<Result>(asking: Promise<Result>, names = /^(?:Resource)?NotFoundException$/) {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Error && names.test(error.name)) return null;
    throw error;
  }
}
