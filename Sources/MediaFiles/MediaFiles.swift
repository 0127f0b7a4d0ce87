import CSMF
import CSndFile
